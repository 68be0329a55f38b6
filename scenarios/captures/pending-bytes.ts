/** Collects octets until there are enough, so that a long message is not copied with each part. */
export class PendingBytes {
  bytes: Buffer = Buffer.alloc(0);
  #more: Buffer[] = [];
  #needed = 0;

  /** False until the needed number has arrived. */
  push(more: Buffer): boolean {
    this.#more.push(more);
    this.#needed -= more.length;
    if (this.#needed > 0) return false;
    this.bytes = Buffer.concat([this.bytes, ...this.#more.splice(0)]);
    return true;
  }

  need(octets: number): void {
    this.#needed = octets;
  }

  get isEmpty(): boolean {
    return this.bytes.length + this.#more.length === 0;
  }
}

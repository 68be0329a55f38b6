/** Octets that are looked at when there are enough of them, so that a long message is not copied with each part of it that comes. */
export class PendingBytes {
  bytes: Buffer = Buffer.alloc(0);
  #more: Buffer[] = [];
  #needed = 0;

  /** False while so many are lacking as was said last. */
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

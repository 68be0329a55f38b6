/** Bytes of the first block, and of those that follow. */
const blocks = { first: 2048, next: 64 * 1024 };

/**
 * Collects the bytes of a body, up to a bound. Parts are copied together, so that neither a body in very many parts nor the
 * buffers that they were cut from fill the memory.
 */
export class BodyBytes {
  readonly #most: number;
  readonly #blocks: Buffer[] = [];
  length = 0;
  /** Bytes that are free in the last block. */
  #free = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** False when the body is longer than the bound; the part is then not taken. */
  add(part: Uint8Array): boolean {
    if (this.length + part.length > this.#most) return false;
    for (let taken = 0; taken < part.length; ) {
      if (this.#free === 0) this.#begin();
      const piece = part.subarray(taken, taken + this.#free);
      const last = this.#blocks.at(-1);
      last?.set(piece, last.length - this.#free);
      this.#free -= piece.length;
      this.length += piece.length;
      taken += piece.length;
    }
    return true;
  }

  #begin(): void {
    this.#free = this.#blocks.length === 0 ? blocks.first : blocks.next;
    this.#blocks.push(Buffer.allocUnsafeSlow(this.#free));
  }

  /** What is no UTF-8 becomes U+FFFD. */
  text(): string {
    return Buffer.concat(this.#blocks, this.length).toString('utf8');
  }
}

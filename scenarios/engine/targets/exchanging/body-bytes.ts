import { show } from '../../messages/display.ts';
import { textIn } from '../../messages/serialization.ts';

/** Bytes of the first block, and of later ones. */
const blocks = { first: 2048, next: 64 * 1024 };

/**
 * Collects the bytes of a body, up to a bound. Parts are copied into blocks, so that neither very many parts nor the
 * buffers that they belong to fill the memory.
 */
export class BodyBytes {
  readonly #most: number;
  readonly #blocks: Buffer[] = [];
  length = 0;
  /** Free bytes in the last block. */
  #free = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** False when the body would exceed the bound; the part is then not added. */
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

  /** Invalid UTF-8 becomes U+FFFD, and CBOR equivalent JSON. */
  text(mediaType?: string): string {
    return textIn(Buffer.concat(this.#blocks, this.length), mediaType);
  }
}

/** Longest line between chunks, in bytes. */
const longestLine = 4096;

type Expecting = 'size' | 'content' | 'line end' | 'trailer';

/** Decodes a body in the chunked transfer coding (RFC 9112, section 7.1). */
export class ChunkedBody {
  /** What is wrong with the coding. */
  problem: string | undefined;
  /** Bytes after the end; undefined until then. */
  rest: Buffer | undefined;
  #expecting: Expecting = 'size';
  #pending: Buffer = Buffer.alloc(0);
  /** Missing bytes of the chunk. */
  #left = 0;

  /** Returns the parts that these bytes complete. */
  push(bytes: Buffer): Buffer[] {
    const decoded: Buffer[] = [];
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#expecting === 'content' ? this.#readContent(decoded) : this.#readLine());
    return decoded;
  }

  /** True when more can be read, like `#readLine`. */
  #readContent(decoded: Buffer[]): boolean {
    const content = this.#pending.subarray(0, this.#left);
    if (content.length > 0) decoded.push(content);
    this.#pending = this.#pending.subarray(content.length);
    this.#left -= content.length;
    if (this.#left > 0) return false;
    this.#expecting = 'line end';
    return true;
  }

  #readLine(): boolean {
    const end = this.#pending.indexOf('\n');
    if (end < 0 && this.#pending.length <= longestLine) return false;
    if (end < 0) return this.#refuse(`a line between chunks is longer than ${longestLine} bytes`);
    const line = this.#pending.subarray(0, end).toString('latin1').trimEnd();
    this.#pending = this.#pending.subarray(end + 1);
    if (this.#expecting === 'size') return this.#beginChunk(line);
    if (this.#expecting === 'line end' && line !== '') return this.#refuse('a chunk does not end where its size says');
    if (this.#expecting === 'line end') this.#expecting = 'size';
    else if (line === '') this.rest = this.#pending;
    return this.rest === undefined;
  }

  #beginChunk(line: string): boolean {
    const size = /^([0-9a-f]{1,8})\s*(;.*)?$/i.exec(line)?.[1];
    if (size === undefined) return this.#refuse(`a chunk has the size ${show(line.slice(0, 40))}`);
    this.#left = Number.parseInt(size, 16);
    this.#expecting = this.#left === 0 ? 'trailer' : 'content';
    return true;
  }

  #refuse(problem: string): false {
    this.problem = problem;
    return false;
  }
}

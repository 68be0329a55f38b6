import { show } from '../messages/escaped.ts';

/** Longest line between chunks, in bytes. */
const longestLine = 4096;

type Expecting = 'size' | 'content' | 'line end' | 'trailer';

/** Decodes a body in the chunked transfer coding (RFC 9112, section 7.1). */
export class ChunkedBody {
  /** What is wrong with the coding. */
  problem: string | undefined;
  /** What came after the end; undefined until that came. */
  rest: Buffer | undefined;
  #expecting: Expecting = 'size';
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes that the chunk still lacks. */
  #left = 0;

  /** Gives what is decoded by these bytes. */
  push(bytes: Buffer): Buffer[] {
    const decoded: Buffer[] = [];
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#expecting === 'content' ? this.#readContent(decoded) : this.#readLine());
    return decoded;
  }

  /** True when more can be read, as of a line. */
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

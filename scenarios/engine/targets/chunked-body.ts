import { show } from '../judging/sentences.ts';

/** Longest line between chunks, in bytes. */
const longestLine = 4096;

type Expecting = 'size' | 'content' | 'line end' | 'trailer' | 'nothing';
type Progress = { readonly problem: string } | 'more' | 'on';

/** Decodes a body in the chunked transfer coding (RFC 9112, section 7.1). */
export class ChunkedBody {
  #expecting: Expecting = 'size';
  #pending: Buffer = Buffer.alloc(0);
  #decoded: Buffer[] = [];
  /** Bytes that the chunk still lacks. */
  #left = 0;

  get ended(): boolean {
    return this.#expecting === 'nothing';
  }

  /** Bytes that came after the end. */
  get surplus(): number {
    return this.ended ? this.#pending.length : 0;
  }

  /** Gives a sentence when the coding is wrong. */
  push(bytes: Buffer): string | undefined {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    let progress: Progress = 'on';
    while (progress === 'on' && !this.ended) {
      progress = this.#expecting === 'content' ? this.#readContent() : this.#readLine();
    }
    return typeof progress === 'object' ? progress.problem : undefined;
  }

  /** What was decoded since the last call. */
  take(): Buffer[] {
    return this.#decoded.splice(0);
  }

  #readContent(): Progress {
    const content = this.#pending.subarray(0, this.#left);
    if (content.length > 0) this.#decoded.push(content);
    this.#pending = this.#pending.subarray(content.length);
    this.#left -= content.length;
    if (this.#left > 0) return 'more';
    this.#expecting = 'line end';
    return 'on';
  }

  #readLine(): Progress {
    const end = this.#pending.indexOf('\n');
    if (end < 0 && this.#pending.length <= longestLine) return 'more';
    if (end < 0) return { problem: `a line between chunks is longer than ${longestLine} bytes` };
    const line = this.#pending.subarray(0, end).toString('latin1').trimEnd();
    this.#pending = this.#pending.subarray(end + 1);
    if (this.#expecting === 'size') return this.#beginChunk(line);
    if (this.#expecting === 'line end' && line !== '') return { problem: 'a chunk does not end where its size says' };
    if (this.#expecting === 'line end') this.#expecting = 'size';
    else if (line === '') this.#expecting = 'nothing';
    return 'on';
  }

  #beginChunk(line: string): Progress {
    const size = /^([0-9a-f]{1,8})\s*(;.*)?$/i.exec(line)?.[1];
    if (size === undefined) return { problem: `a chunk has the size ${show(line.slice(0, 40))}` };
    this.#left = Number.parseInt(size, 16);
    this.#expecting = this.#left === 0 ? 'trailer' : 'content';
    return 'on';
  }
}

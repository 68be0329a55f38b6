import type { ReceivedAnswer } from '../exchange.ts';
import { ChunkedBody } from './chunked-body.ts';

/** Bounds that keep a hostile target from filling the memory, in bytes. */
export const largestHead = 64 * 1024;
export const largestAnswer = 16 * 1024 * 1024;

export type ReaderState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'complete'; readonly answer: ReceivedAnswer }
  | { readonly kind: 'malformed'; readonly message: string };

interface Head {
  readonly status: number;
  readonly headers: Array<readonly [string, string]>;
}

/** Reads one HTTP/1.x answer from the bytes of a connection (RFC 9112). Interim answers (1xx) are passed over. */
export class AnswerReader {
  state: ReaderState = { kind: 'reading' };
  /** True once anything came that is not an interim answer. */
  started = false;
  readonly #method: string;
  #pending: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  #chunked: ChunkedBody | undefined;
  #parts: Buffer[] = [];
  #received = 0;
  /** Bytes that the body still lacks; undefined: it ends with the connection. */
  #expected: number | undefined;

  constructor(method: string) {
    this.#method = method;
  }

  push(bytes: Buffer): void {
    if (this.state.kind !== 'reading') return;
    if (this.#head !== undefined) {
      this.#pushBody(bytes);
      return;
    }
    this.started = true;
    this.#pending = Buffer.concat([this.#pending, bytes]);
    this.#readHead();
  }

  /** The connection ended; true when the answer is complete with that. */
  end(): void {
    const untilClose = this.#head !== undefined && this.#chunked === undefined && this.#expected === undefined;
    if (this.state.kind === 'reading' && untilClose) this.#complete();
  }

  #readHead(): void {
    const start = this.#pending.subarray(0, 5).toString('latin1');
    if (!'HTTP/'.startsWith(start)) {
      this.#refuse(`the answer begins with ${JSON.stringify(start)}, not with HTTP/`);
      return;
    }
    const end = endOfHead(this.#pending);
    if (end === undefined) {
      if (this.#pending.length > largestHead)
        this.#refuse(`the head of the answer is longer than ${largestHead} bytes`);
      return;
    }
    const head = parseHead(this.#pending.subarray(0, end).toString('latin1'));
    const rest = this.#pending.subarray(end);
    this.#pending = Buffer.alloc(0);
    if (typeof head === 'string') {
      this.#refuse(head);
      return;
    }
    if (head.status < 200 && head.status !== 101) {
      this.started = false;
      if (rest.length > 0) this.push(rest);
      return;
    }
    this.#head = head;
    this.#beginBody(head);
    this.#pushBody(rest);
  }

  #beginBody(head: Head): void {
    const length = valuesOf(head, 'content-length');
    const encoding = valuesOf(head, 'transfer-encoding').join(',').toLowerCase();
    const without = this.#method === 'HEAD' || head.status === 204 || head.status === 304 || head.status === 101;
    if (without) this.#expected = 0;
    else if (/(^|[\s,])chunked\s*$/.test(encoding)) this.#chunked = new ChunkedBody();
    else if (new Set(length).size > 1 || length.some((text) => !/^\d{1,15}$/.test(text))) {
      this.#refuse(`Content-Length is ${JSON.stringify(length.join(', '))}`);
    } else if (length[0] !== undefined) this.#expected = Number(length[0]);
  }

  #pushBody(bytes: Buffer): void {
    if (this.state.kind !== 'reading') return;
    const problem = this.#chunked?.push(bytes);
    if (problem !== undefined) {
      this.#refuse(problem);
      return;
    }
    const parts = this.#chunked?.take() ?? [bytes];
    this.#parts.push(...parts);
    this.#received += parts.reduce((sum, part) => sum + part.length, 0);
    const ended = this.#chunked?.ended ?? (this.#expected !== undefined && this.#received >= this.#expected);
    if (this.#received > largestAnswer) this.#refuse(`the body of the answer is longer than ${largestAnswer} bytes`);
    else if (ended) this.#complete();
  }

  #complete(): void {
    const body = Buffer.concat(this.#parts).subarray(0, this.#expected);
    const { status, headers } = this.#head ?? { status: 0, headers: [] };
    this.state = { kind: 'complete', answer: { status, headers, body: body.toString('utf8') } };
  }

  #refuse(message: string): void {
    this.state = { kind: 'malformed', message };
  }
}

/** Position after the empty line that ends the head; lines may end with LF alone. */
function endOfHead(bytes: Buffer): number | undefined {
  const ends = ['\r\n\r\n', '\n\n', '\n\r\n'].flatMap((mark) => {
    const at = bytes.indexOf(mark, 0, 'latin1');
    return at < 0 ? [] : [at + mark.length];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function parseHead(text: string): Head | string {
  const [first = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const status = /^HTTP\/\d\.\d (\d{3})(?: .*)?$/.exec(first)?.[1];
  if (status === undefined) return `the status line is ${JSON.stringify(first.slice(0, 80))}`;
  const headers: Array<readonly [string, string]> = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) return `the header line ${JSON.stringify(line.slice(0, 80))} has no name`;
    headers.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return { status: Number(status), headers };
}

function valuesOf(head: Head, name: string): string[] {
  return head.headers.filter(([key]) => key === name).map(([, value]) => value);
}

import { headerOf } from '../../basics/body.ts';
import { show } from '../../messages/display.ts';
import type { ReceivedAnswer } from '../../results/exchange.ts';
import { BodyBytes, ChunkedBody } from './body-bytes.ts';

/** Bounds that keep a hostile target from filling the memory, in bytes. */
export const largestHead = 64 * 1024;
export const largestAnswer = 8 * 1024 * 1024;
export const tooLong = `the body of the answer is longer than ${largestAnswer} bytes`;
/** Header lines of an answer. */
export const mostHeaders = 1000;
export const tooManyHeaders = `the answer has more than ${mostHeaders} header lines`;
/** Interim answers to one request. */
const mostInterim = 100;

export type ReaderState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'complete'; readonly answer: ReceivedAnswer }
  | { readonly kind: 'malformed'; readonly message: string };

interface Head {
  readonly status: number;
  readonly headers: Array<readonly [string, string]>;
}

/** Reads one HTTP/1.x answer from the bytes of a connection (RFC 9112). Interim answers (1xx) are skipped. */
export class AnswerReader {
  state: ReaderState = { kind: 'reading' };
  /** True once anything but interim answers came. */
  started = false;
  /** Surplus bytes after the end of the answer. */
  rest: Buffer = Buffer.alloc(0);
  readonly #method: string;
  #pending: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  #chunked: ChunkedBody | undefined;
  #interim = 0;
  readonly #body = new BodyBytes(largestAnswer);
  /** Length of the body in bytes; undefined: it ends with the connection. */
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
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#pending.length > 0 && this.#readHead());
  }

  /** The connection ended, which may complete the answer. */
  end(): void {
    const untilClose = this.#head !== undefined && this.#chunked === undefined && this.#expected === undefined;
    if (this.state.kind === 'reading' && untilClose) this.#complete();
  }

  /** True when an interim answer was skipped, so that another head may follow. */
  #readHead(): boolean {
    this.started = true;
    const start = this.#pending.subarray(0, 5).toString('latin1');
    if (!'HTTP/'.startsWith(start)) {
      return this.#refuse(`the answer begins with ${show(start)}, not with HTTP/`);
    }
    const end = endOfHead(this.#pending);
    if ((end ?? this.#pending.length) > largestHead) {
      return this.#refuse(`the head of the answer is longer than ${largestHead} bytes`);
    }
    if (end === undefined) return false;
    const head = parseHead(this.#pending.subarray(0, end).toString('latin1'));
    const rest = this.#pending.subarray(end);
    this.#pending = Buffer.alloc(0);
    if (typeof head === 'string') return this.#refuse(head);
    if (head.status < 200 && head.status !== 101) return this.#passOver(rest);
    this.#head = head;
    this.#beginBody(head);
    this.#pushBody(rest);
    return false;
  }

  #passOver(rest: Buffer): boolean {
    this.#interim += 1;
    if (this.#interim > mostInterim)
      return this.#refuse(`more than ${mostInterim} interim answers came, and no answer`);
    this.started = false;
    this.#pending = rest;
    return true;
  }

  #beginBody(head: Head): void {
    const length = valuesOf(head, 'content-length');
    const encoding = valuesOf(head, 'transfer-encoding').join(',').toLowerCase();
    const without = this.#method === 'HEAD' || head.status === 204 || head.status === 304 || head.status === 101;
    if (without) this.#expected = 0;
    else if (/(^|[\s,])chunked\s*$/.test(encoding)) this.#chunked = new ChunkedBody();
    else if (new Set(length).size > 1 || length.some((text) => !/^\d{1,15}$/.test(text))) {
      this.#refuse(`Content-Length is ${show(length.join(', '))}`);
    } else if (Number(length[0] ?? 0) > largestAnswer) this.#refuse(tooLong);
    else if (length[0] !== undefined) this.#expected = Number(length[0]);
  }

  #pushBody(bytes: Buffer): void {
    if (this.state.kind !== 'reading') return;
    const lacking = this.#expected === undefined ? bytes.length : this.#expected - this.#body.length;
    const parts = this.#chunked?.push(bytes) ?? [bytes.subarray(0, lacking)];
    const ended = this.#expected !== undefined && bytes.length >= lacking;
    const rest = this.#chunked ? this.#chunked.rest : ended ? bytes.subarray(lacking) : undefined;
    if (this.#chunked?.problem !== undefined) this.#refuse(this.#chunked.problem);
    else if (!parts.every((part) => this.#body.add(part))) this.#refuse(tooLong);
    else if (rest !== undefined) {
      this.rest = rest;
      this.#complete();
    }
  }

  #complete(): void {
    const { status, headers } = this.#head ?? { status: 0, headers: [] };
    const body = this.#body.text(headerOf(headers, 'content-type'));
    this.state = { kind: 'complete', answer: { status, headers, body } };
  }

  #refuse(message: string): false {
    this.state = { kind: 'malformed', message };
    return false;
  }
}

/** Position after the empty line that ends the head; lines may end with LF alone. */
export function endOfHead(bytes: Buffer): number | undefined {
  const ends = ['\r\n\r\n', '\n\n', '\n\r\n'].flatMap((mark) => {
    const at = bytes.indexOf(mark, 0, 'latin1');
    return at < 0 ? [] : [at + mark.length];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function parseHead(text: string): Head | string {
  const [first = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const status = /^HTTP\/\d\.\d (\d{3})(?: .*)?$/.exec(first)?.[1];
  if (status === undefined) return `the status line is ${show(first.slice(0, 80))}`;
  const headers = headersIn(lines);
  return typeof headers === 'string' ? headers : { status: Number(status), headers };
}

/** Headers with names in lower case, or what is wrong with them. */
export function headersIn(lines: readonly string[]): Head['headers'] | string {
  const headers: Head['headers'] = [];
  if (lines.length > mostHeaders) return tooManyHeaders;
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) return `the header line ${show(line.slice(0, 80))} has no name`;
    headers.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return headers;
}

function valuesOf(head: Head, name: string): string[] {
  return head.headers.filter(([key]) => key === name).map(([, value]) => value);
}

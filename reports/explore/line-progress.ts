import { cut } from '../terminal/wrap.ts';

const eraseLine = '\r\u001b[2K';

/** The part of a stream that progress is written to. */
interface Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** One line that changes on a terminal, plain lines for what matters elsewhere. */
export class LineProgress {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  line(text: string): void {
    this.#stream.write(`${this.#stream.isTTY ? eraseLine : ''}cselab: ${text}\n`);
  }

  passing(text: string): void {
    if (this.#stream.isTTY) this.#stream.write(eraseLine + cut(text, (this.#stream.columns ?? 80) - 1));
  }

  end(): void {
    if (this.#stream.isTTY) this.#stream.write(eraseLine);
  }
}

import { cut } from '../terminal/wrap.ts';

const eraseLine = '\r\u001b[2K';

/** The part of a stream that progress is written to. */
interface Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** What is told in tenths is at least so many. */
const fewest = 100;

/** One line that changes on a terminal, plain lines for what matters elsewhere. A build server keeps whatever is written, and gets none that changes. */
export class LineProgress {
  readonly #stream: Writable;
  readonly #changes: boolean;

  constructor(stream: Writable, { CI: ci }: { readonly CI?: string | undefined } = process.env) {
    this.#stream = stream;
    this.#changes = stream.isTTY === true && ci === undefined;
  }

  line(text: string): void {
    this.#stream.write(`${this.#changes ? eraseLine : ''}cselab: ${text}\n`);
  }

  passing(text: string): void {
    if (this.#changes) this.#stream.write(eraseLine + cut(text, (this.#stream.columns ?? 80) - 1));
  }

  /** `12 of 400 scenarios`: on a terminal each of them, elsewhere each tenth of what takes long. */
  counting(done: number, of: number, what: string): void {
    const text = `${done} of ${of} ${what}`;
    const isTenth = of >= fewest && done < of && done % Math.ceil(of / 10) === 0;
    if (this.#changes) this.passing(text);
    else if (isTenth) this.line(text);
  }

  end(): void {
    if (this.#changes) this.#stream.write(eraseLine);
  }
}

import type { ExploreEvent } from '../../scenarios/index.ts';
import { cut } from '../terminal/wrap.ts';
import { counted } from '../wording.ts';

const eraseLine = '\r\u001b[2K';

/** The part of a stream that progress is written to. */
interface Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** How far an exploration is: one line that changes on a terminal, plain lines for what matters elsewhere. */
export class ExploreProgress {
  readonly #stream: Writable;
  readonly #silent: boolean;
  #planned = 0;

  constructor(stream: Writable, silent: boolean) {
    this.#stream = stream;
    this.#silent = silent;
  }

  onEvent(event: ExploreEvent): void {
    if (this.#silent) return;
    switch (event.type) {
      case 'exploration started':
        this.#planned = event.planned;
        this.#line(`exploring ${event.target.url} with seed ${event.seed}`);
        break;
      case 'searched':
        this.#passing(
          `${event.sequences} of ${counted(this.#planned, 'sequence')}, ${counted(event.steps, 'request')}`,
        );
        break;
      case 'failure found':
        this.#line(`${event.requirement} fails in sequence ${event.path}; looking for a shorter one`);
        break;
      case 'shrunk':
        this.#passing(`${counted(event.operations, 'operation')} left after ${counted(event.attempts, 'attempt')}`);
        break;
      case 'exploration finished':
        if (this.#stream.isTTY) this.#stream.write(eraseLine);
    }
  }

  #line(text: string): void {
    this.#stream.write(`${this.#stream.isTTY ? eraseLine : ''}cselab: ${text}\n`);
  }

  #passing(text: string): void {
    if (this.#stream.isTTY) this.#stream.write(eraseLine + cut(text, (this.#stream.columns ?? 80) - 1));
  }
}

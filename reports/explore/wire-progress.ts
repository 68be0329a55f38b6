import type { WireEvent } from '../../scenarios/index.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';
import { LineProgress, type Writable } from './line-progress.ts';

/** How far an exploration by malformed bytes is. */
export class WireProgress {
  readonly #lines: LineProgress;
  readonly #silent: boolean;
  #planned = 0;

  constructor(stream: Writable, silent: boolean) {
    this.#lines = new LineProgress(stream);
    this.#silent = silent;
  }

  onEvent(event: WireEvent): void {
    if (this.#silent) return;
    switch (event.type) {
      case 'exploration started':
        this.#planned = event.planned;
        this.#lines.line(`exploring ${event.target.url} by malformed bytes with seed ${event.seed}`);
        break;
      case 'searched':
        this.#lines.passing(`${event.runs} of ${counted(this.#planned, 'request')}`);
        break;
      case 'failure found':
        this.#lines.line(`${visibleText(event.what)}: ${visibleText(event.says)} Looking for fewer bytes`);
        break;
      case 'shrunk':
        this.#lines.passing(`${counted(event.bytes, 'byte')} left after ${counted(event.attempts, 'attempt')}`);
        break;
      case 'exploration finished':
        this.#lines.end();
    }
  }
}

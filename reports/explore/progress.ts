import type { ExploreEvent } from '../../scenarios/index.ts';
import { counted } from '../wording.ts';
import { LineProgress, type Writable } from './line-progress.ts';

/** How far an exploration is: one line that changes on a terminal, plain lines for what matters elsewhere. */
export class ExploreProgress {
  readonly #lines: LineProgress;
  readonly #silent: boolean;
  #planned = 0;

  constructor(stream: Writable, silent: boolean) {
    this.#lines = new LineProgress(stream);
    this.#silent = silent;
  }

  onEvent(event: ExploreEvent): void {
    if (this.#silent) return;
    switch (event.type) {
      case 'exploration started':
        this.#planned = event.planned;
        this.#lines.line(`exploring ${event.target.url} with seed ${event.seed}`);
        break;
      case 'searched':
        this.#lines.passing(
          `${event.sequences} of ${counted(this.#planned, 'sequence')}, ${counted(event.steps, 'request')}`,
        );
        break;
      case 'failure found':
        this.#lines.line(`${event.requirement} fails in sequence ${event.path}; looking for a shorter one`);
        break;
      case 'shrunk':
        this.#lines.passing(
          `${counted(event.operations, 'operation')} left after ${counted(event.attempts, 'attempt')}`,
        );
        break;
      case 'exploration finished':
        this.#lines.end();
    }
  }
}

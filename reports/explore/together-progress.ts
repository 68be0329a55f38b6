import type { TogetherEvent } from '../../scenarios/index.ts';
import { counted } from '../wording.ts';
import { LineProgress, type Writable } from './line-progress.ts';

/** How far an exploration by several originators is. */
export class TogetherProgress {
  readonly #lines: LineProgress;
  readonly #silent: boolean;
  #planned = 0;

  constructor(stream: Writable, silent: boolean) {
    this.#lines = new LineProgress(stream);
    this.#silent = silent;
  }

  onEvent(event: TogetherEvent): void {
    if (this.#silent) return;
    switch (event.type) {
      case 'exploration started':
        this.#planned = event.planned;
        this.#lines.line(
          `exploring ${event.target.url} by ${event.originators} originators at the same time with seed ${event.seed}`,
        );
        break;
      case 'searched':
        this.#lines.passing(
          `${event.histories} of ${counted(this.#planned, 'program')}, ${counted(event.steps, 'request')}`,
        );
        break;
      case 'failure found':
        this.#lines.line(`no order explains history ${event.path} (${event.requirement}); looking for a smaller one`);
        break;
      case 'shrunk':
        this.#lines.passing(`${counted(event.requests, 'request')} left after ${counted(event.attempts, 'attempt')}`);
        break;
      case 'exploration finished':
        this.#lines.end();
    }
  }
}

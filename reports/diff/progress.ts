import type { DiffEvent } from '../../scenarios/index.ts';
import { LineProgress, type Writable } from '../explore/line-progress.ts';
import { counted } from '../wording.ts';
import { targetName } from './target-name.ts';

/** How far a comparison is: one line that changes on a terminal, plain lines for what matters elsewhere. */
export class DiffProgress {
  readonly #lines: LineProgress;
  readonly #silent: boolean;
  #planned = 0;

  constructor(stream: Writable, silent: boolean) {
    this.#lines = new LineProgress(stream);
    this.#silent = silent;
  }

  onEvent(event: DiffEvent): void {
    if (this.#silent) return;
    switch (event.type) {
      case 'diff started': {
        const { A, B } = event.targets;
        this.#planned = event.planned;
        this.#lines.line(`comparing ${targetName(A)} with ${targetName(B)}, seed ${event.seed}`);
        break;
      }
      case 'searched':
        this.#lines.passing(
          `${event.sequences} of ${counted(this.#planned, 'sequence')}, ${counted(event.compared, 'answer')} of each`,
        );
        break;
      case 'difference found':
        this.#lines.line(`${event.part} differs (${event.about}) in sequence ${event.path}; looking for a shorter one`);
        break;
      case 'shrunk':
        this.#lines.passing(
          `${counted(event.operations, 'operation')} left after ${counted(event.attempts, 'attempt')}`,
        );
        break;
      case 'diff finished':
        this.#lines.end();
    }
  }
}

import type { DiffEvent } from '../../scenarios/index.ts';
import { deathNews } from '../death-facts.ts';
import type { Teller } from '../progress/follow.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';
import { targetName } from './target-name.ts';

/** How far a comparison is: one line that changes on a terminal, plain lines for what matters elsewhere. */
export function diffProgress(lines: LineProgress): Teller<DiffEvent> {
  let planned = 0;
  return (event) => {
    switch (event.type) {
      case 'diff started': {
        const { A, B } = event.targets;
        planned = event.planned;
        lines.line(`comparing ${targetName(A)} with ${targetName(B)}, seed ${event.seed}`);
        break;
      }
      case 'searched':
        lines.passing(
          `${event.sequences} of ${counted(planned, 'sequence')}, ${counted(event.compared, 'answer')} of each`,
        );
        break;
      case 'difference found':
        lines.line(`${event.part} differs (${event.about}) in sequence ${event.path}; looking for a shorter one`);
        break;
      case 'target died':
      case 'target back':
        lines.line(visibleText(`${event.death.side}: ${deathNews(event)}`));
        break;
      case 'shrunk':
        lines.passing(`${counted(event.operations, 'operation')} left after ${counted(event.attempts, 'attempt')}`);
        break;
    }
  };
}

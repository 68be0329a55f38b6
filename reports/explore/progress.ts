import type { ExploreEvent } from '../../scenarios/index.ts';
import { deathNews } from '../death-facts.ts';
import type { Teller } from '../progress/follow.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';

/** How far an exploration is: one line that changes on a terminal, plain lines for what matters elsewhere. */
export function exploreProgress(lines: LineProgress): Teller<ExploreEvent> {
  let planned = 0;
  return (event) => {
    switch (event.type) {
      case 'exploration started':
        planned = event.planned;
        lines.line(`exploring ${event.target.url} with seed ${event.seed}`);
        break;
      case 'searched':
        lines.passing(`${event.sequences} of ${counted(planned, 'sequence')}, ${counted(event.steps, 'request')}`);
        break;
      case 'failure found':
        lines.line(`${event.requirement} fails in sequence ${event.path}; looking for a shorter one`);
        break;
      case 'target died':
      case 'target back':
        lines.line(visibleText(deathNews(event)));
        break;
      case 'shrunk':
        lines.passing(`${counted(event.operations, 'operation')} left after ${counted(event.attempts, 'attempt')}`);
        break;
    }
  };
}

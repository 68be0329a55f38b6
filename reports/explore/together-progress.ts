import type { TogetherEvent } from '../../scenarios/index.ts';
import type { Teller } from '../progress/follow.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { counted } from '../wording.ts';

/** How far an exploration by several originators is. */
export function togetherProgress(lines: LineProgress): Teller<TogetherEvent> {
  let planned = 0;
  return (event) => {
    switch (event.type) {
      case 'exploration started':
        planned = event.planned;
        lines.line(
          `exploring ${event.target.url} by ${event.originators} originators at the same time with seed ${event.seed}`,
        );
        break;
      case 'searched':
        lines.passing(`${event.histories} of ${counted(planned, 'program')}, ${counted(event.steps, 'request')}`);
        break;
      case 'failure found':
        lines.line(`no order explains history ${event.path} (${event.requirement}); looking for a smaller one`);
        break;
      case 'shrunk':
        lines.passing(`${counted(event.requests, 'request')} left after ${counted(event.attempts, 'attempt')}`);
        break;
    }
  };
}

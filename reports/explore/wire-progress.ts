import type { WireEvent } from '../../scenarios/index.ts';
import type { Teller } from '../progress/follow.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';

/** How far an exploration by malformed bytes is. */
export function wireProgress(lines: LineProgress): Teller<WireEvent> {
  let planned = 0;
  return (event) => {
    switch (event.type) {
      case 'exploration started':
        planned = event.planned;
        lines.line(`exploring ${event.target.url} by malformed bytes with seed ${event.seed}`);
        break;
      case 'searched':
        lines.passing(`${event.runs} of ${counted(planned, 'request')}`);
        break;
      case 'failure found':
        lines.line(`${visibleText(event.what)}: ${visibleText(event.says)} Looking for fewer bytes`);
        break;
      case 'shrunk':
        lines.passing(`${counted(event.bytes, 'byte')} left after ${counted(event.attempts, 'attempt')}`);
        break;
    }
  };
}

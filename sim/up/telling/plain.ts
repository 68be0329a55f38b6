/** `--log plain`: lines for people, in a pipe or a file. What is wrong goes to stderr. */
import type { Teller, UpEvent } from './event.ts';
import { headOf, type Refusal } from './refusal.ts';

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function plainTeller({ out, err }: Streams): Teller {
  return {
    tell(event) {
      const line = lineOf(event);
      if (line === undefined) return;
      (isForStderr(event) ? err : out)(`${line}\n`);
    },
    greet: (text) => out(`${text}\n`),
    watch() {},
    end() {},
  };
}

export const isForStderr = ({ event }: UpEvent): boolean =>
  ['note', 'log', 'request', 'refused', 'error'].includes(event);

const because = ({ reason }: Refusal): string => (reason === undefined ? '' : `: ${reason}`);

/** Undefined for what the greeting says, or a summary. */
export function lineOf(event: UpEvent): string | undefined {
  switch (event.event) {
    case 'note':
    case 'error':
      return event.message;
    case 'log':
      return `${event.cse}: ${event.message}`;
    case 'request':
      return `${event.cse}: ${event.method} ${event.target} ${event.status} ${event.rsc ?? ''}${because(event)}`;
    case 'refused': {
      const omitted = event.omitted === undefined ? '' : ` (${event.omitted} more were refused before)`;
      return `${event.cse}: ${headOf(event)}${because(event)}${omitted}`;
    }
    case 'listening':
      return `${event.what} at ${event.url}`;
    case 'traffic': {
      const devices = `${event.devices} ${event.devices === 1 ? 'device' : 'devices'}`;
      return `traffic of ${devices} into ${event.cse}, from ${event.file}`;
    }
    case 'stopped':
      return 'stopped';
    default:
      return undefined;
  }
}

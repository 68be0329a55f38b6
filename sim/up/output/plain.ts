/** `--log plain`: lines for people, in a pipe or a file. Problems go to stderr. */
import type { UpEvent, UpOutput } from './event.ts';
import { headOf, type Refusal } from './refusal.ts';

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function plainOutput({ out, err }: Streams): UpOutput {
  return {
    report(event) {
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

const lines: { readonly [Kind in UpEvent['event']]?: (event: Extract<UpEvent, { event: Kind }>) => string } = {
  note: ({ message }) => message,
  error: ({ message }) => message,
  log: ({ cse, message }) => `${cse}: ${message}`,
  request: (event) =>
    `${event.cse}: ${event.method} ${event.target} ${event.status} ${event.rsc ?? ''}${because(event)}`,
  refused(event) {
    const omitted = event.omitted === undefined ? '' : ` (${event.omitted} more were refused before)`;
    return `${event.cse}: ${headOf(event)}${because(event)}${omitted}`;
  },
  listening: ({ what, url }) => `${what} at ${url}`,
  workload: ({ devices, cse, file }) =>
    `workload of ${devices} ${devices === 1 ? 'device' : 'devices'} into ${cse}, from ${file}`,
  stopped: () => 'stopped',
};

/** Undefined for events of the greeting, and for summaries. */
export function lineOf(event: UpEvent): string | undefined {
  return (lines[event.event] as ((event: UpEvent) => string) | undefined)?.(event);
}

/** The context of `cselab up`: its output in the form of `--log`, and the console. */

import type { Console } from '../console/console.ts';
import { UnreachableError, wireOf } from '../dialects/outgoing-message.ts';
import type { Scheduler } from '../environment/clock.ts';
import { Instruments } from '../instruments/instruments.ts';
import { startNode } from '../topology/node.ts';
import type { NodeSettings } from '../topology/node-settings.ts';
import { ListenError, type UpOptions, UpOptionsError } from './options.ts';
import { Activity } from './output/activity.ts';
import type { RunningNode, UpOutput } from './output/event.ts';
import { Latest } from './output/latest.ts';
import { plainOutput } from './output/plain.ts';
import { reportRefusals, reportRequests } from './output/refusal.ts';

export interface UpContext {
  readonly output: UpOutput;
  readonly page: Console | undefined;
  /** Reports each request, not only refused ones. */
  readonly verbose: boolean;
  /** Called with internal errors. */
  readonly onError: (error: unknown) => void;
}

/** Different remarks on the terminal. */
const mostRemarks = 5;

/** Writes to the streams of this process. Rejects with an UpOptionsError for `live` without a terminal. */
export async function outputFor({ log, verbose }: UpOptions): Promise<UpOutput> {
  const { stdout, stderr, env } = process;
  const streams = { out: (text: string) => void stdout.write(text), err: (text: string) => void stderr.write(text) };
  const isTerminal = stdout.isTTY === true;
  if (log === 'live' && !isTerminal) {
    throw new UpOptionsError('--log live needs a terminal, and stdout is none; choose plain or json');
  }
  const usual = isTerminal && env.TERM !== 'dumb' && !env.CI ? 'live' : 'plain';
  const form = log ?? usual;
  if (form === 'json') {
    const { jsonOutput } = await import('./output/json.ts');
    return jsonOutput(streams.out);
  }
  if (form === 'plain') return plainOutput(streams);
  const [{ liveOutput }, { default: pc }] = await Promise.all([import('./output/live.ts'), import('picocolors')]);
  return liveOutput({
    ...streams,
    terminal: { write: streams.out, columns: () => stdout.columns || 80, rows: () => stdout.rows || 24 },
    color: pc.isColorSupported,
    latest: new Latest(mostRemarks),
    errIsTerminal: stderr.isTTY === true,
    verbose: verbose === true,
  });
}

/** `cselab up --console`: loaded on demand. Its clock runs, unless `--manual-clock` pauses it. `onError` gets its internal errors. */
export async function consoleOf(
  { console: wanted, manualClock }: UpOptions,
  onError: (error: unknown) => void,
): Promise<Console | undefined> {
  if (wanted === undefined) return undefined;
  const [{ Console }, { SteeredClock }] = await Promise.all([
    import('../console/console.ts'),
    import('../console/steered-clock.ts'),
  ]);
  return new Console(new SteeredClock({ paused: manualClock === true }), onError);
}

// One CSE, connected to all of them.

interface StartOptions {
  readonly role: RunningNode['role'];
  readonly clock: Scheduler;
  /** Whether the greeting is still to come, which reports registrations that succeed at once. */
  readonly isStarting: () => boolean;
  /** Called with the request that has ended the CSE. */
  readonly onDeath?: ((request: string) => void) | undefined;
}

/** Rejects with a ListenError, or what startNode rejects with. */
export async function startOne(
  settings: NodeSettings,
  context: UpContext,
  { role, clock, isStarting, onDeath }: StartOptions,
): Promise<RunningNode> {
  const { output, page, verbose, onError } = context;
  const cse = nameOf(settings);
  const log = (message: string): void => {
    if (!isStarting() || !message.startsWith('registered ')) output.report({ event: 'log', cse, message });
  };
  const activity = new Activity(cse, output.latest);
  const onRefused = (reason: string): void => activity.refused(reason);
  const instruments = new Instruments({ clock, maxEntries: 0, onError, onRefused });
  page?.watch(cse, role, instruments);
  activity.listenTo(instruments);
  const subscribe = verbose ? reportRequests : reportRefusals;
  subscribe(instruments.requests, cse, (event) => output.report(event));
  const node = await startNode(settings, {
    ...{ log, clock, onError, instruments, ...(onDeath && { onDeath }) },
  }).catch((error: unknown) => {
    throw asListenError(error, settings);
  });
  if (node.wsUrl !== undefined) output.report({ event: 'listening', what: 'ws', url: node.wsUrl });
  const coap = node.points.find((point) => wireOf(point) === 'coap');
  if (coap !== undefined) output.report({ event: 'listening', what: 'coap', url: coap });
  activity.attach(node);
  page?.attach(node, cse);
  return { cse, role, node, settings, activity };
}

const nameOf = ({ cse }: NodeSettings): string => cse.cseId ?? '';

function asListenError(error: unknown, settings: NodeSettings): unknown {
  if (error instanceof UnreachableError) return new UpOptionsError(`--mqtt: ${error.message}`);
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const { interface: host = '127.0.0.1', port: wanted = 0 } = settings.http ?? {};
  const listens = settings.http ?? settings.adminPort;
  return code?.startsWith('E') && listens !== undefined
    ? new ListenError(address ?? host, port ?? wanted, error)
    : error;
}

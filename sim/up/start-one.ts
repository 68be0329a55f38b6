/** One CSE of `cselab up`, with whoever looks on. */
import type { Scheduler } from '../clock.ts';
import { Instruments } from '../instruments/instruments.ts';
import { type NodeSettings, startNode } from '../topology/node.ts';
import type { Onlookers } from './onlookers.ts';
import { ListenError } from './options.ts';
import { Activity } from './telling/activity.ts';
import type { ToldNode } from './telling/event.ts';
import { tellRefusals, tellRequests } from './telling/refusal.ts';

interface Beginning {
  readonly role: ToldNode['role'];
  readonly clock: Scheduler;
  /** Whether the greeting is still to come, which says it of registrations that succeed at once. */
  readonly isStarting: () => boolean;
  /** Told of the request that has ended the life of the CSE. */
  readonly onDeath?: ((request: string) => void) | undefined;
}

/** Rejects with a ListenError, or what startNode rejects with. */
export async function startOne(
  settings: NodeSettings,
  onlookers: Onlookers,
  { role, clock, isStarting, onDeath }: Beginning,
): Promise<ToldNode> {
  const { teller, page, verbose, onError } = onlookers;
  const cse = nameOf(settings);
  const log = (message: string): void => {
    if (!isStarting() || !message.startsWith('registered ')) teller.tell({ event: 'log', cse, message });
  };
  const activity = new Activity(cse, teller.latest);
  const onRefused = (reason: string): void => activity.refused(reason);
  const instruments = new Instruments({ clock, most: 0, onError, onRefused });
  page?.watch(cse, role, instruments);
  activity.listenTo(instruments);
  const told = verbose ? tellRequests : tellRefusals;
  told(instruments.requests, cse, (event) => teller.tell(event));
  const node = await startNode(settings, {
    ...{ log, clock, onError, instruments, ...(onDeath && { onDeath }) },
  }).catch((error: unknown) => {
    throw asListenError(error, settings);
  });
  activity.attach(node);
  page?.attach(node, cse);
  return { cse, role, node, settings, activity };
}

const nameOf = ({ cse }: NodeSettings): string => cse.cseId ?? '';

function asListenError(error: unknown, settings: NodeSettings): unknown {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const { interface: host = '127.0.0.1', port: wanted = 0 } = settings.http ?? {};
  const listens = settings.http ?? settings.adminPort;
  return code?.startsWith('E') && listens !== undefined
    ? new ListenError(address ?? host, port ?? wanted, error)
    : error;
}

import { assumptionOf, open, preparedOf, type TargetChoice } from '../check.ts';
import { UsageError } from '../engine/files/diagnostics.ts';
import type { TargetDescription } from '../engine/result.ts';
import type { Installation } from '../engine/running/installation.ts';
import type { Opened } from '../engine/running/installations.ts';
import type { Way } from '../engine/targets/target.ts';
import type { Departure, SafetyChoice } from '../safety/run-safety.ts';
import { wayFor } from '../safety/way.ts';
import type { Statement } from '../statement/statement.ts';

/** Where sequences run. */
export interface Arena {
  readonly description: TargetDescription;
  /** Whether a fresh installation differs from another one. */
  readonly renews: boolean;
  /** Sequences at the same time. */
  readonly jobs: number;
  /** Whether what a sequence created has to be removed. */
  readonly cleans: boolean;
  readonly way: Way;
  /** What the target claims to have, where it says so. */
  readonly statement?: Statement | undefined;
  /** For one sequence; `fresh` where nothing of another one may be there, as far as that can be had. */
  installation(fresh: boolean): Installation;
  /** Leaves the target as it was. */
  leave(interrupted: boolean): Promise<Departure>;
}

export interface ArenaOptions {
  readonly target: TargetChoice;
  readonly jobs: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly startedAt: number;
  readonly run: string;
  readonly safety?: SafetyChoice | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Unreachable = { readonly description: TargetDescription; readonly unreachable: string };

/** Sequences that one CSE in process is used for: to make one takes longer than a sequence does. */
const usesOfOne = 20;

/** In process a CSE is made anew for some sequences at a time; everything else is opened as a run of scenarios is, with all that keeps it safe. Rejects with a UsageError for what cannot be used. */
export async function openArena(options: ArenaOptions): Promise<Arena | Unreachable> {
  const { target } = options;
  try {
    return await (target.kind === 'in-process' ? inProcess(target, options) : shared(options));
  } catch (error) {
    const unknown = error instanceof Error && error.name === 'UnknownFaultError';
    throw unknown ? new UsageError(error.message) : error;
  }
}

async function inProcess(
  target: Extract<TargetChoice, { kind: 'embedded' | 'in-process' }>,
  limits: ArenaOptions,
): Promise<Arena> {
  const { openFresh } = await import('../engine/targets/embedded.ts');
  const { timeout, startedAt } = limits;
  const make = () => openFresh({ ...target, dialect: 'documented', connections: 1, timeout, startedAt });
  let used = { installation: make(), times: 0 };
  const installation = (fresh: boolean): Installation => {
    if (fresh) return make();
    if (used.times >= usesOfOne) used = { installation: make(), times: 0 };
    used.times += 1;
    return used.installation;
  };
  return {
    description: used.installation.gateway.description,
    renews: true,
    jobs: 1,
    cleans: false,
    way: {},
    installation,
    leave: async () => ({ notes: [] }),
  };
}

async function shared({
  target,
  jobs,
  timeout,
  startedAt,
  run,
  safety,
  signal,
}: ArenaOptions): Promise<Arena | Unreachable> {
  const said = await preparedOf(target, 'documented');
  const { prepared, statement } = await assumptionOf(said, { timeout, signal });
  const limits = { dialect: 'documented', connections: jobs, timeout, startedAt, run } as const;
  const opened: Opened = await open(prepared, { ...limits, ...(safety && { safety }) });
  if ('unreachable' in opened) return opened;
  const { installations, depart, description } = opened;
  const [installation] = installations.opened();
  if (installation === undefined) throw new TypeError('there is no main installation');
  const way = await wayFor(installation.usualCertificate, installation.certificates);
  const leave = async (interrupted: boolean) => {
    const departure = await depart?.(interrupted).finally(() => installations.close());
    if (depart === undefined) await installations.close();
    return departure ?? { notes: [] };
  };
  const claims = target.kind === 'url' ? (target.statement ?? statement) : undefined;
  return {
    description,
    renews: false,
    jobs,
    cleans: true,
    way,
    statement: claims,
    installation: () => installation,
    leave,
  };
}

import { assumptionOf, open, preparedOf, type TargetChoice } from '../check.ts';
import { UsageError } from '../engine/files/diagnostics.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { TargetDescription } from '../engine/result.ts';
import type { Installation } from '../engine/running/installation.ts';
import type { Opened } from '../engine/running/installations.ts';
import { registeredOnce } from '../engine/running/run-registering.ts';
import { Inboxes } from '../engine/targets/inboxes.ts';
import type { Liveness } from '../engine/targets/liveness.ts';
import type { Way } from '../engine/targets/target.ts';
import { watched } from '../engine/targets/watched.ts';
import type { Departure, SafetyChoice } from '../safety/run-safety.ts';
import { wayFor } from '../safety/way.ts';
import type { Statement } from '../statement/statement.ts';
import { documented, documentedPair } from './documented.ts';
import type { Language } from './language.ts';

/** Where sequences run. */
export interface Arena {
  readonly description: TargetDescription;
  /** Of a pair. */
  readonly backend?: TargetDescription | undefined;
  readonly language: Language;
  /** Sequences at the same time. */
  readonly jobs: number;
  /** Whether what a sequence created has to be removed. */
  readonly cleans: boolean;
  readonly way: Way;
  /** What the target claims to have, where it says so. */
  readonly statement?: Statement | undefined;
  /** For one sequence; nothing of another one is there, as far as that can be had. */
  installation(): Installation | Promise<Installation>;
  /** Absent for a target that cannot die without the harness. */
  readonly liveness?: Liveness | undefined;
  /** Removes what sequences have left there; nothing else is sent meanwhile. */
  readonly tidy?: (() => Promise<void>) | undefined;
  /** Leaves the target as it was; `dead`: why it cannot be asked. One that has just died is waited for. */
  leave(interrupted: boolean, dead?: string): Promise<Departure>;
}

export interface ArenaOptions {
  readonly target: TargetChoice;
  /** `documented` when absent. */
  readonly dialect?: Dialect | undefined;
  /** Whether what is tried is the target together with its backend. */
  readonly pair?: boolean | undefined;
  readonly jobs: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly startedAt: number;
  readonly run: string;
  readonly safety?: SafetyChoice | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Unreachable = { readonly description: TargetDescription; readonly unreachable: string };

/** In process each sequence has a CSE of its own; everything else is opened as a run of scenarios is, with all that keeps it safe. Rejects with a UsageError for what cannot be used. */
export async function openArena(options: ArenaOptions): Promise<Arena | Unreachable> {
  const { target, pair } = options;
  if (pair && (target.kind === 'fetch' || (target.kind === 'url' && target.backend === undefined))) {
    throw new UsageError('--pair needs the backend: give --backend-url');
  }
  if (pair && options.dialect === 'onem2m' && target.kind !== 'in-process') {
    throw new UsageError('--pair with --dialect onem2m goes with --in-process');
  }
  try {
    return await (target.kind === 'in-process' ? inProcess(target, options) : shared(options));
  } catch (error) {
    const unknown = error instanceof Error && error.name === 'UnknownDeviationError';
    throw unknown ? new UsageError(error.message) : error;
  }
}

async function inProcess(
  target: Extract<TargetChoice, { kind: 'embedded' | 'in-process' }>,
  limits: ArenaOptions,
): Promise<Arena> {
  const { openFresh, openFreshPair } = await import('../engine/targets/embedded/fresh.ts');
  const { timeout, startedAt, dialect = 'documented', pair = false } = limits;
  const inboxes = dialect === 'onem2m' ? { inboxes: new Inboxes({ startedAt, wireless: true }) } : {};
  const options = { ...target, dialect, connections: 1, timeout, startedAt } as const;
  const installation = () => (pair ? openFreshPair({ ...options, ...inboxes }) : openFresh({ ...options, ...inboxes }));
  return {
    ...(await playedOn(await installation(), pair)),
    jobs: 1,
    cleans: false,
    way: {},
    installation,
    leave: async () => ({ left: [], notes: [] }),
  };
}

/** What is tried there, and how. */
async function playedOn(
  { gateway, backend, dialect }: Installation,
  pair: boolean,
): Promise<Pick<Arena, 'description' | 'backend' | 'language'>> {
  const { description } = gateway;
  const standard = dialect === 'onem2m' ? await import('./standard/language.ts') : undefined;
  if (!pair) return { description, language: standard?.onem2m ?? documented };
  if (backend === undefined) throw new TypeError('there is no backend');
  return { description, backend: backend.description, language: standard?.onem2mPair ?? documentedPair };
}

async function shared({
  target,
  dialect = 'documented',
  pair = false,
  jobs,
  timeout,
  startedAt,
  run,
  safety,
  signal,
}: ArenaOptions): Promise<Arena | Unreachable> {
  const said = await preparedOf(target, dialect);
  const { prepared, statement } = await assumptionOf(said, { timeout, signal });
  const limits = { dialect, connections: jobs, timeout, startedAt, run } as const;
  const opened: Opened = await open(prepared, { ...limits, ...(safety && { safety }) });
  if ('unreachable' in opened) return opened;
  const { installations, depart, survival: { liveness, tidy } = {} } = opened;
  const [opening] = installations.opened();
  if (opening === undefined) throw new TypeError('there is no main installation');
  const { installation: main, notices } = await registeredOnce(opening, { run, signal });
  const installation = liveness === undefined ? main : watched(main, liveness);
  const way = await wayFor(installation.usualCertificate, installation.certificates);
  const leave = async (interrupted: boolean, dead?: string) => {
    const why = dead ?? (await stillDead(liveness, interrupted));
    const departure = await depart?.(interrupted, why).finally(() => installations.close());
    if (depart === undefined) await installations.close();
    return departure === undefined
      ? { left: [], notes: notices }
      : { ...departure, notes: [...notices, ...departure.notes] };
  };
  const claims = target.kind === 'url' ? (target.statement ?? statement) : undefined;
  return {
    ...(await playedOn(installation, pair)),
    // With one originator for all, a sequence that registers keeps the others out.
    jobs: installation.originator === undefined ? jobs : 1,
    cleans: true,
    way,
    statement: claims,
    installation: () => installation,
    liveness,
    tidy,
    leave,
  };
}

/** Why nothing can be removed at the target; undefined for one that answers, perhaps again. */
async function stillDead(liveness: Liveness | undefined, interrupted: boolean): Promise<string | undefined> {
  if (liveness?.down === undefined) return undefined;
  const isBack = !interrupted && (await liveness.back()) !== undefined;
  return isBack ? undefined : 'the target died and has not come back';
}

import type { OpeningLimits, TargetChoice } from '../../checking/open-target.ts';
import { assumptionOf, open, prepareTarget } from '../../checking/open-target.ts';
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Way } from '../../engine/messages/target.ts';
import type { TargetDescription } from '../../engine/results/result.ts';
import type { Installations, Opened } from '../../engine/running/scenario/installations.ts';
import { registeredOnce } from '../../engine/running/scenario/registrant.ts';
import { Inboxes } from '../../engine/targets/inboxes.ts';
import { type Installation, wayFor, withTargets } from '../../engine/targets/installation.ts';
import type { Liveness } from '../../engine/targets/liveness.ts';
import type { Ics } from '../../ics/ics.ts';
import type { LeaveReport } from '../../safety/run-safety.ts';

/** A target, opened and kept safe as for a run of scenarios. */
export interface MainInstallation {
  readonly description: TargetDescription;
  readonly installation: Installation;
  /** All that the target offers, for whole scenarios. */
  readonly installations: Installations;
  readonly way: Way;
  /** Absent for a target that cannot die without the harness. */
  readonly survival: Extract<Opened, { installations: unknown }>['survival'] | undefined;
  /** What it claims to have, if it does. */
  readonly ics?: Ics | undefined;
  /** Leaves the target as it was; `dead`: why it cannot be reached. One that has just died is waited for. */
  leave(interrupted: boolean, dead?: string): Promise<LeaveReport>;
}

export interface OpeningOptions extends OpeningLimits {
  readonly target: TargetChoice;
  readonly run: string;
}

export interface Unreachable<Target = TargetDescription> {
  readonly description: Target;
  readonly unreachable: string;
  readonly notes?: readonly string[];
}

export async function openMain({ target, ...limits }: OpeningOptions): Promise<MainInstallation | Unreachable> {
  const { dialect, timeout, run, signal } = limits;
  const { prepared, ics: assumed } = await assumptionOf(await prepareTarget(target, dialect), { timeout, signal });
  const opened: Opened = await open(prepared, limits);
  if ('unreachable' in opened) return opened;
  const { installations, survival, description } = opened;
  const [opening] = installations.opened();
  if (opening === undefined) throw new TypeError('there is no main installation');
  const { installation, notices } = await registeredOnce(await byOne(opening), { run, signal });
  return {
    ...{ description, installation, installations, survival },
    way: await wayFor(installation.usualCertificate, installation.certificates),
    ics: target.kind === 'url' ? (target.ics ?? assumed) : undefined,
    leave: async (interrupted, dead) => {
      const departure = await installations.leave(interrupted, dead);
      return { left: [], ...departure, notes: [...notices, ...(departure?.notes ?? [])] };
    },
  };
}

/** With a usual certificate, it names every originator. */
async function byOne(installation: Installation): Promise<Installation> {
  const { usualCertificate, certificates, originator } = installation;
  const { certificate } = await wayFor(usualCertificate, certificates);
  return { ...installation, ...defined({ originator: originator ?? certificate?.uris[0] }) };
}

/** Rejects with a UsageError for an unknown deviation. */
export async function unlessUnknown<Result>(opening: Promise<Result>): Promise<Result> {
  return opening.catch((error: unknown) => {
    const unknown = error instanceof Error && error.name === 'UnknownDeviationError';
    throw unknown ? new UsageError(error.message) : error;
  });
}

/** Where sequences run. */
export interface ExplorationSession extends Omit<MainInstallation, 'installation' | 'installations' | 'survival'> {
  /** Where whole scenarios can run; absent if each sequence has its own CSE, or one originator stands for all. */
  readonly installations?: Installations | undefined;
  /** Of a pair. */
  readonly backend?: TargetDescription | undefined;
  readonly dialect: Dialect;
  /** Concurrent sequences. */
  readonly jobs: number;
  /** Whether sequences have to clean up. */
  readonly cleans: boolean;
  /** For one sequence; without anything of another, as far as possible. */
  installation(): Installation | Promise<Installation>;
  /** Absent for a target that cannot die without the harness. */
  readonly liveness?: Liveness | undefined;
  /** Removes what sequences left there; nothing else is sent meanwhile. */
  readonly tidy?: (() => Promise<void>) | undefined;
}

export interface SessionOptions extends Omit<OpeningOptions, 'dialect' | 'connections'> {
  /** `documented` when absent. */
  readonly dialect?: Dialect | undefined;
  /** Whether to try the target together with its backend. */
  readonly pair?: boolean | undefined;
  readonly jobs: number;
}

/** In process each sequence has its own CSE; anything else is opened as for a run of scenarios, with all that keeps it safe. Rejects with a UsageError for unusable options. */
export async function openSession(options: SessionOptions): Promise<ExplorationSession | Unreachable> {
  const { target, pair } = options;
  if (pair && (target.kind === 'fetch' || (target.kind === 'url' && target.backend === undefined))) {
    throw new UsageError('--pair needs the backend: give --backend-url');
  }
  if (pair && options.dialect === 'onem2m' && target.kind !== 'in-process') {
    throw new UsageError('--pair with --dialect onem2m goes with --in-process');
  }
  return unlessUnknown(target.kind === 'in-process' ? inProcess(target, options) : shared(options));
}

async function inProcess(
  target: Extract<TargetChoice, { kind: 'embedded' | 'in-process' }>,
  limits: SessionOptions,
): Promise<ExplorationSession> {
  const { openFresh, openFreshPair } = await import('../../engine/targets/embedded/fresh-cse.ts');
  const { timeout, startedAt, dialect = 'documented', pair = false } = limits;
  const inboxes = dialect === 'onem2m' ? { inboxes: new Inboxes({ startedAt, wireless: true }) } : {};
  const options = { ...target, dialect, connections: 1, timeout, startedAt, ...inboxes } as const;
  const installation = () => (pair ? openFreshPair(options) : openFresh(options));
  const leave = async () => ({ left: [], notes: [] });
  return { ...sessionFacts(await installation(), pair), jobs: 1, cleans: false, way: {}, installation, leave };
}

/** Facts of a session. */
function sessionFacts({ gateway, backend, dialect }: Installation, pair: boolean) {
  return { description: gateway.description, dialect, backend: pair ? backend?.description : undefined };
}

async function shared(options: SessionOptions): Promise<ExplorationSession | Unreachable> {
  const { dialect = 'documented', pair = false, jobs } = options;
  const main = await openMain({ ...options, dialect, connections: jobs });
  if ('unreachable' in main) return main;
  const { survival: { liveness, tidy } = {}, way, ics } = main;
  const installation =
    liveness === undefined ? main.installation : withTargets(main.installation, (target) => liveness.watch(target));
  return {
    ...sessionFacts(installation, pair),
    ...{ way, ics, liveness, tidy, cleans: true },
    // With one originator for all, a sequence or a scenario that registers keeps the others out.
    jobs: installation.originator === undefined ? jobs : 1,
    installations: installation.originator === undefined ? main.installations : undefined,
    installation: () => installation,
    leave: async (interrupted, dead) => main.leave(interrupted, dead ?? (await stillDead(liveness, interrupted))),
  };
}

/** Why nothing can be removed at the target; undefined if it answers, perhaps again. */
async function stillDead(liveness: Liveness | undefined, interrupted: boolean): Promise<string | undefined> {
  if (liveness?.down === undefined) return undefined;
  const isBack = !interrupted && (await liveness.back()) !== undefined;
  return isBack ? undefined : 'the target died and has not come back';
}

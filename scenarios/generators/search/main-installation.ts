import { assumptionOf, type OpeningLimits, open, preparedOf, type TargetChoice } from '../../checking/open-target.ts';
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import type { Way } from '../../engine/messages/target.ts';
import type { TargetDescription } from '../../engine/results/result.ts';
import type { Opened } from '../../engine/running/installations.ts';
import { registeredOnce } from '../../engine/running/registrar.ts';
import { type Installation, wayFor } from '../../engine/targets/installation.ts';
import type { Departure } from '../../safety/run-safety.ts';
import type { Statement } from '../../statement/statement.ts';

/** A target, opened and kept safe as for a run of scenarios. */
export interface MainInstallation {
  readonly description: TargetDescription;
  readonly installation: Installation;
  readonly way: Way;
  /** Absent for a target that cannot die without the harness. */
  readonly survival: Extract<Opened, { installations: unknown }>['survival'] | undefined;
  /** What it claims to have, where it says so. */
  readonly statement?: Statement | undefined;
  /** Leaves the target as it was; `dead`: why it cannot be asked. One that has just died is waited for. */
  leave(interrupted: boolean, dead?: string): Promise<Departure>;
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
  const { prepared, statement } = await assumptionOf(await preparedOf(target, dialect), { timeout, signal });
  const opened: Opened = await open(prepared, limits);
  if ('unreachable' in opened) return opened;
  const { installations, survival, description } = opened;
  const [opening] = installations.opened();
  if (opening === undefined) throw new TypeError('there is no main installation');
  const { installation, notices } = await registeredOnce(await byOne(opening), { run, signal });
  return {
    ...{ description, installation, survival },
    way: await wayFor(installation.usualCertificate, installation.certificates),
    statement: target.kind === 'url' ? (target.statement ?? statement) : undefined,
    leave: async (interrupted, dead) => {
      const departure = await installations.leave(interrupted, dead);
      return { left: [], ...departure, notes: [...notices, ...(departure?.notes ?? [])] };
    },
  };
}

/** Where there is a usual certificate everybody is who that says. */
async function byOne(installation: Installation): Promise<Installation> {
  const { usualCertificate, certificates, originator } = installation;
  const { certificate } = await wayFor(usualCertificate, certificates);
  return { ...installation, ...defined({ originator: originator ?? certificate?.uris[0] }) };
}

/** Rejects with a UsageError for a deviation that is none. */
export async function unlessUnknown<Place>(opening: Promise<Place>): Promise<Place> {
  return opening.catch((error: unknown) => {
    const unknown = error instanceof Error && error.name === 'UnknownDeviationError';
    throw unknown ? new UsageError(error.message) : error;
  });
}

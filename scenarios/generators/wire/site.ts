import { assumptionOf, open, preparedOf, type TargetChoice } from '../../check.ts';
import { UsageError } from '../../engine/files/diagnostics.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { TargetDescription } from '../../engine/result.ts';
import type { Installation } from '../../engine/running/installation.ts';
import { registeredOnce } from '../../engine/running/run-registering.ts';
import type { HeaderList, Way } from '../../engine/targets/target.ts';
import type { Departure, SafetyChoice } from '../../safety/run-safety.ts';
import { wayFor } from '../../safety/way.ts';
import type { Statement } from '../../statement/statement.ts';

/** A target with a socket, opened and kept safe as for a run of scenarios. */
export interface Site {
  readonly description: TargetDescription;
  readonly installation: Installation;
  readonly way: Way;
  /** Sent with every request. */
  readonly headers: HeaderList;
  readonly statement?: Statement | undefined;
  /** Leaves the target as it was. */
  leave(interrupted: boolean): Promise<Departure>;
}

interface SiteOptions {
  readonly target: TargetChoice;
  readonly dialect: Dialect;
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly startedAt: number;
  readonly run: string;
  readonly safety?: SafetyChoice | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Unreachable = { readonly description: TargetDescription; readonly unreachable: string };

/** The reference CSE listens at a loopback port. Rejects with a UsageError for what cannot be used. */
export async function openSite(options: SiteOptions): Promise<Site | Unreachable> {
  try {
    return await opened(options);
  } catch (error) {
    const unknown = error instanceof Error && error.name === 'UnknownDeviationError';
    throw unknown ? new UsageError(error.message) : error;
  }
}

async function opened({ target, signal, safety, ...limits }: SiteOptions): Promise<Site | Unreachable> {
  if (target.kind === 'fetch') throw new UsageError('malformed bytes need a socket, and a function has none');
  const { dialect, timeout } = limits;
  const listening = target.kind === 'in-process' ? ({ ...target, kind: 'embedded' } as const) : target;
  const { prepared, statement } = await assumptionOf(await preparedOf(listening, dialect), { timeout, signal });
  const site = await open(prepared, { ...limits, connections: 1, ...(safety && { safety }) });
  if ('unreachable' in site) return site;
  const { installations, depart, description } = site;
  const [opening] = installations.opened();
  if (opening === undefined) throw new TypeError('there is no main installation');
  const { installation, notices } = await registeredOnce(opening, { run: limits.run, signal });
  const leave = async (interrupted: boolean): Promise<Departure> => {
    const departure = await depart?.(interrupted).finally(() => installations.close());
    if (depart === undefined) await installations.close();
    return { left: [], ...departure, notes: [...notices, ...(departure?.notes ?? [])] };
  };
  const said = target.kind === 'url' ? { statement: target.statement ?? statement } : {};
  return {
    description,
    installation,
    way: await wayFor(installation.usualCertificate, installation.certificates),
    headers: (target.kind === 'url' && target.headers) || [],
    leave,
    ...said,
  };
}

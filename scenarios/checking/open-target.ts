/** Opens an embedded target, or one behind a URL or a function. Modules for each are loaded when needed. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { RunLimits } from '../engine/running/open-url.ts';
import type { Opened } from '../engine/running/scenario/installations.ts';
import type { EmbeddedChoice, EmbeddedOptions } from '../engine/targets/embedded/reference-cse.ts';
import {
  type FetchChoice,
  type PreparedUrl,
  prepareFetch,
  prepareUrl,
  type UrlChoice,
} from '../engine/targets/url-choice.ts';
import type { assume } from '../probe/assume.ts';

export type TargetChoice =
  | EmbeddedChoice
  | ({ readonly kind: 'fetch' } & Omit<FetchChoice, 'dialect'>)
  | ({ readonly kind: 'url' } & Omit<UrlChoice, 'dialect'>);

/** Milliseconds for each request of a doctor. */
const doctorTimeout = 5000;

type Prepared = PreparedUrl | EmbeddedChoice;

/** Limits and dialect of a run. */
export type OpeningLimits = RunLimits & Pick<EmbeddedOptions, 'dialect'>;

/** Reads the files of the choice; sends nothing. */
export async function prepareTarget(target: TargetChoice, dialect: Dialect): Promise<Prepared> {
  if (target.kind === 'url') return prepareUrl({ ...target, dialect });
  return target.kind === 'fetch' ? prepareFetch({ ...target, dialect }) : target;
}

/** Probes a target without a target file. */
export async function assumptionOf(target: Prepared, limits: Parameters<typeof assume>[1]) {
  if (!('choice' in target) || target.choice.product !== undefined || target.fetch !== undefined)
    return { prepared: target, assumed: [], ics: undefined };
  const probe = await import('../probe/assume.ts');
  return probe.assume(target, limits);
}

/** Returns what is certainly wrong with a set-up, in one sentence with the line to change. */
export function examinerOf(target: Prepared, { timeout, signal }: Pick<RunLimits, 'timeout' | 'signal'>) {
  if (!('choice' in target)) return undefined;
  const limits = { timeout: Math.min(timeout, doctorTimeout), signal };
  return async (read: Exchange | undefined) => {
    const { obstacle } = await import('../doctor/obstacle.ts');
    return obstacle(target, { ...limits, read });
  };
}

export async function open(target: Prepared, limits: OpeningLimits): Promise<Opened> {
  if ('choice' in target) {
    const { openUrl } = await import('../engine/running/open-url.ts');
    return openUrl(target, limits);
  }
  const { openEmbedded } = await import('../engine/targets/embedded/open-embedded.ts');
  return openEmbedded({ ...limits, ...target });
}

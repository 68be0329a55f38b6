/** Opens a target, whatever a user names: an embedded one, one behind a URL or behind a function. What does so is loaded for those who name such a one. */
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

/** Milliseconds that a doctor gives each request. */
const doctorTimeout = 5000;

type Prepared = PreparedUrl | EmbeddedChoice;

/** Within what a run speaks to its target, and how. */
export type OpeningLimits = RunLimits & Pick<EmbeddedOptions, 'dialect'>;

/** Reads what the choice names; nothing is sent. */
export async function prepareTarget(target: TargetChoice, dialect: Dialect): Promise<Prepared> {
  if (target.kind === 'url') return prepareUrl({ ...target, dialect });
  return target.kind === 'fetch' ? prepareFetch({ ...target, dialect }) : target;
}

/** A target that no file describes is asked what it is. */
export async function assumptionOf(target: Prepared, limits: Parameters<typeof assume>[1]) {
  if (!('choice' in target) || target.choice.product !== undefined || target.fetch !== undefined)
    return { prepared: target, assumed: [], ics: undefined };
  const probe = await import('../probe/assume.ts');
  return probe.assume(target, limits);
}

/** Says what is surely wrong with a set-up, in one sentence with the line to change. */
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

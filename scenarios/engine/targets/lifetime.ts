import { getOrAdd } from '../basics/memoize.ts';
import type { LoadedScenario } from '../files/load.ts';
import { timeOf } from '../files/scenario-entries.ts';
import type { Step } from '../grammar/grammar-step.ts';
import { expirationIn } from '../judging/timestamp.ts';
import { interpolateToText, type Names } from '../messages/interpolate.ts';
import type { Installation } from './installation.ts';
import type { UrlChoice } from './url-choice.ts';

/** Lifetime of the resources of a run, in milliseconds, by default. */
const usualLifetime = 3_600_000;

const aboutExpiration = new WeakMap<LoadedScenario, boolean>();

/** Whether a scenario is about expiration itself and must stay unchanged. */
function isAboutExpiration(scenario: LoadedScenario): boolean {
  return getOrAdd(aboutExpiration, scenario, () => {
    const { given, steps, actors } = scenario;
    const written = [...given, ...steps].flatMap(({ step, checks }) => [step, checks.map(({ check }) => check)]);
    return /"(et|exb|exa)"|[?&]ex[ab]=|\bet\b/.test(JSON.stringify([written, actors]));
  });
}

/** When resources directly below a CSE base expire. */
export interface Lifetime {
  readonly milliseconds: number;
  /** Paths of the bases, in every form. */
  readonly bases: readonly string[];
  /** In the format of the dialect. */
  readonly expiration: () => string;
  /** Whether the target refused a creation with an expiration time and accepted it without: then none is sent. */
  readonly refused?: {
    certain: boolean;
    /** Statuses of creations that were refused with one and without. */
    readonly anyway: Set<number>;
  };
}

/** The expiration time of resources directly below a CSE base, unless the target refuses that. */
export function lifeAtBase(lifetime: Lifetime | undefined): { readonly et?: string } {
  return lifetime === undefined || lifetime.refused?.certain ? {} : { et: lifetime.expiration() };
}

/** The note on a target that refuses expiration times. */
export function noteOnRefusal(lifetime: Lifetime | undefined): string[] {
  if (lifetime?.refused?.certain !== true) return [];
  return [
    'the target refuses an expiration time (et) in resources below its CSE base, but accepts them without: nothing of the run expires by itself. --lifetime none, or lifetime: none in its target file, omits it from the start',
  ];
}

/**
 * Adds an expiration time to a creation directly below a CSE base that has none; other steps stay unchanged, and so do all steps
 * of a scenario that is about expiration, or waits so long that resources could expire.
 */
export function withExpiration<S extends Step>(
  step: S,
  scenario: LoadedScenario,
  names: Names,
  lifetime?: Lifetime,
): S {
  if (lifetime === undefined || lifetime.refused?.certain || !('create' in step) || step.attributes?.et !== undefined)
    return step;
  if (timeOf(scenario) * 2 > lifetime.milliseconds || isAboutExpiration(scenario)) return step;
  const parent = interpolateToText(step.in, names).split('?', 1)[0]?.replace(/\/+$/, '') ?? '';
  if (!lifetime.bases.includes(parent)) return step;
  return { ...step, attributes: { ...step.attributes, et: lifetime.expiration() } };
}

/** The lifetime by the clock of the target, which is so many milliseconds ahead. */
export function lifetimeOf(
  { lifetime = usualLifetime, dialect = 'documented' }: Pick<UrlChoice, 'lifetime' | 'dialect'>,
  { gateway, backend }: Pick<Installation, 'gateway' | 'backend'>,
  ahead: number,
): Pick<Installation, 'lifetime'> {
  if (lifetime === 'none') return {};
  const bases = [gateway, backend].flatMap((target) => (target === undefined ? [] : formsOfBase(target.description)));
  const expiration = () => expirationIn(lifetime + ahead, dialect);
  return { lifetime: { milliseconds: lifetime, bases, expiration, refused: { certain: false, anyway: new Set() } } };
}

/** The base of a CSE in all its forms. */
function formsOfBase({ base, cseId, spId }: { base: string; cseId: string; spId: string }): string[] {
  const above = ['', `/~/${cseId}`, `/_/${spId}/${cseId}`];
  return [...above, ...above.map((start) => `${start}/${base}`)];
}

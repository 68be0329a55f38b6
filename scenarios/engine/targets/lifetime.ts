import { getOrAdd } from '../basics/memoize.ts';
import type { LoadedScenario } from '../files/load.ts';
import { timeOf } from '../files/scenario-entries.ts';
import type { Step } from '../grammar/grammar-step.ts';
import { expirationIn } from '../judging/timestamp.ts';
import { interpolateToText, type Names } from '../messages/interpolate.ts';
import type { Installation } from './installation.ts';
import type { UrlChoice } from './url-choice.ts';

/** Milliseconds that what a run creates lives, unless its user says otherwise. */
const usualLifetime = 3_600_000;

const aboutExpiration = new WeakMap<LoadedScenario, boolean>();

/** Whether a scenario is about expiration itself, so that it has to be left as it is written. */
function speaksOfExpiration(scenario: LoadedScenario): boolean {
  return getOrAdd(aboutExpiration, scenario, () => {
    const { given, steps, actors } = scenario;
    const written = [...given, ...steps].flatMap(({ step, checks }) => [step, checks.map(({ check }) => check)]);
    return /"(et|exb|exa)"|[?&]ex[ab]=|\bet\b/.test(JSON.stringify([written, actors]));
  });
}

/** When what is created directly below a CSE base expires. */
export interface Lifetime {
  readonly milliseconds: number;
  /** Paths of the bases, in every form. */
  readonly bases: readonly string[];
  /** As the dialect writes it. */
  readonly expiration: () => string;
  /** Whether the target has refused a creation with an expiration time, and accepted the same without it: then it is told none. */
  readonly refused?: {
    isConfirmed: boolean;
    /** Statuses with which a creation was refused with one and without. */
    readonly anyway: Set<number>;
  };
}

/** What is created directly below a CSE base is given, unless the target refuses that. */
export function lifeAtBase(lifetime: Lifetime | undefined): { readonly et?: string } {
  return lifetime === undefined || lifetime.refused?.isConfirmed ? {} : { et: lifetime.expiration() };
}

/** What is to be known of a target that refuses expiration times. */
export function noteOnRefusal(lifetime: Lifetime | undefined): string[] {
  if (lifetime?.refused?.isConfirmed !== true) return [];
  return [
    'the target refuses an expiration time (et) in what is created below its CSE base, and accepts the same without: nothing of the run expires by itself. --lifetime none, or lifetime: none in its target file, tells it none from the start',
  ];
}

/**
 * A creation directly below a CSE base, with an expiration time where it has none; any other step as it is, and all those of a
 * scenario that is about expiration, or lets so much time pass that it would come to that.
 */
export function withExpiration<S extends Step>(
  step: S,
  scenario: LoadedScenario,
  names: Names,
  lifetime?: Lifetime,
): S {
  if (
    lifetime === undefined ||
    lifetime.refused?.isConfirmed ||
    !('create' in step) ||
    step.attributes?.et !== undefined
  )
    return step;
  if (timeOf(scenario) * 2 > lifetime.milliseconds || speaksOfExpiration(scenario)) return step;
  const parent = interpolateToText(step.in, names).split('?', 1)[0]?.replace(/\/+$/, '') ?? '';
  if (!lifetime.bases.includes(parent)) return step;
  return { ...step, attributes: { ...step.attributes, et: lifetime.expiration() } };
}

/** When what is created expires, by the clock of the target, which is so many milliseconds ahead. */
export function lifetimeOf(
  { lifetime = usualLifetime, dialect = 'documented' }: Pick<UrlChoice, 'lifetime' | 'dialect'>,
  { gateway, backend }: Pick<Installation, 'gateway' | 'backend'>,
  ahead: number,
): Pick<Installation, 'lifetime'> {
  if (lifetime === 'none') return {};
  const bases = [gateway, backend].flatMap((target) => (target === undefined ? [] : formsOfBase(target.description)));
  const expiration = () => expirationIn(lifetime + ahead, dialect);
  return {
    lifetime: { milliseconds: lifetime, bases, expiration, refused: { isConfirmed: false, anyway: new Set() } },
  };
}

/** The base of a CSE in all its forms. */
function formsOfBase({ base, cseId, spId }: { base: string; cseId: string; spId: string }): string[] {
  const above = ['', `/~/${cseId}`, `/_/${spId}/${cseId}`];
  return [...above, ...above.map((start) => `${start}/${base}`)];
}

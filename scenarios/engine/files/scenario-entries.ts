import { ownValue } from '../basics/own-value.ts';
import type { Dialect } from '../grammar/dialects.ts';
import type { Actor } from '../grammar/grammar.ts';
import type { CreateStep, SendingStep, Step } from '../grammar/grammar-step.ts';
import { administrator, checkTexts, milliseconds, namesIn, originatorName, requestTexts } from '../grammar/names.ts';
import { isSending } from '../grammar/vocabulary.ts';
import type { LoadedScenario, LoadedStep } from './load.ts';

/** A step that is not in a file (the registration of an actor) has no place. */
export interface Entry<S extends Step = Step>
  extends Pick<LoadedStep, 'checks'>,
    Partial<Pick<LoadedStep, 'place' | 'leftOut' | 'denied' | 'polls' | 'receives'>> {
  readonly step: S;
  readonly phase: 'given' | 'step';
}

/** Everything before the clean-up: registrations, preparation, steps. */
export function entriesOf(scenario: LoadedScenario, dialect: Dialect, release = '3'): Entry[] {
  const { given, steps, actors } = scenario;
  const registrations = registeredActors(scenario, dialect).map((name): Entry => {
    const usual = usualRegistration(name, dialect, release);
    return { step: registration(name, ownValue(actors, name) ?? {}, usual), checks: [], phase: 'given' };
  });
  const entries = (all: readonly LoadedStep[], phase: Entry['phase']) =>
    all.map((one): Entry => ({ ...one, step: stepForRelease(one.step, release), phase }));
  return [...registrations, ...entries(given, 'given'), ...entries(steps, 'step')];
}

/** The step without attributes that CSEs of the release may not know and therefore refuse. */
function stepForRelease(step: Step, release: string): Step {
  if (hasReleases(release) || !('create' in step) || step.attributes?.srv === undefined) return step;
  const { srv: _srv, ...attributes } = step.attributes;
  return { ...step, attributes };
}

/** supportedReleaseVersions is mandatory from release 3 on; earlier CSEs may not know it (TS-0004 7.4.5.1). */
const hasReleases = (release: string): boolean => !/^(1|2|2a)$/.test(release);

/** Total waiting time of a scenario, in milliseconds. */
export function timeOf({ given, steps }: LoadedScenario): number {
  return [...given, ...steps].reduce((sum, { step }) => sum + ('advance' in step ? milliseconds(step.advance) : 0), 0);
}

/** Whether it asks a person. */
export function asksPerson({ given, steps }: Pick<LoadedScenario, 'given' | 'steps'>): boolean {
  return [...given, ...steps].some(
    ({ step }) => 'ask' in step || ('countdown' in step && step.countdown !== undefined),
  );
}

/** The attributes of every registration beside its name. */
export function usualRegistration(actor: string, dialect: Dialect, release: string): Usual {
  if (dialect === 'documented') return { api: `N.cselab.${actor}`, rr: 'TRUE' };
  return { api: 'Ncselab', rr: true, ...(hasReleases(release) && { srv: ['2a', '3', '4'] }) };
}

type Usual = NonNullable<CreateStep['attributes']>;

/** An actor is registered like any application (endpoint 1; TS-0004 7.4.5.2.1). */
function registration(actor: string, { attributes: further = {} }: Actor, usual: Usual): CreateStep {
  const attributes = { rn: `\${${actor}}`, ...usual, ...further };
  return { create: 'ae', in: '/${base}', as: actor, attributes, note: `actor ${actor}` };
}

/** The actors that are registered before a scenario: those that it mentions. */
export function registeredActors(scenario: LoadedScenario, dialect: Dialect): string[] {
  const mentioned = mentionedNames(scenario, dialect);
  return Object.entries(scenario.actors)
    .filter(([name, { registered }]) => registered !== false && mentioned.has(name))
    .map(([name]) => name);
}

/**
 * The actor of a step. In the onem2m dialect every request has an originator: a step that names none is sent by the first
 * registered actor, else by the first actor; without actors, by the administrator.
 */
export function actorOf(
  { as: named }: Pick<SendingStep, 'as'>,
  actors: Readonly<Record<string, Actor>>,
  dialect: Dialect,
): string | undefined {
  if (named !== undefined || dialect === 'documented') return named;
  const all = Object.entries(actors);
  const [name = administrator] = all.find(([, { registered }]) => registered !== false) ?? all[0] ?? [];
  return name;
}

/** Names in the steps and their checks, and the actors of the steps. */
function mentionedNames({ given, steps, actors }: LoadedScenario, dialect: Dialect): Set<string> {
  const names = [...given, ...steps].flatMap(({ step, checks }) => {
    const texts = [...requestTexts(step), ...checks.flatMap(({ check }) => checkTexts(check))];
    const acting = isSending(step) ? [actorOf(step, actors, dialect) ?? []].flat() : [];
    return [...acting, ...texts.flatMap(({ text }) => namesIn(text))];
  });
  const registered = Object.keys(actors).filter((name) => names.includes(originatorName(name)));
  return new Set(dialect === 'documented' ? names : [...names, ...registered]);
}

/** The place of a step that is in no file. */
export const nowhere = { file: '', line: 1, column: 1 };

type OwnScenarioInput = Pick<LoadedScenario, 'id' | 'feature' | 'title' | 'actors'> &
  Partial<Pick<LoadedScenario, 'needs' | 'inboxes'>> & {
    readonly dialect: Dialect;
    readonly steps: readonly LoadedStep[];
  };

/** A scenario of the harness itself, for probes and replays. */
export function ownScenario({ dialect, needs = new Set(), inboxes = {}, ...input }: OwnScenarioInput): LoadedScenario {
  const dialects = new Set([dialect]);
  return { ...input, dialects, needs, inboxes, tags: [], given: [], place: nowhere, file: '' };
}

/** A step without checks. */
export function uncheckedStep(step: Step, place = nowhere): LoadedStep {
  return { step, place, checks: [] };
}

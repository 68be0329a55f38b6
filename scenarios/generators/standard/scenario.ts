/** A counterexample of the onem2m dialect in the words of the scenario grammar: what differs from run to run is captured, not repeated. */
import type { Actor } from '../../engine/grammar/grammar.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { inboxUrlName } from '../../engine/grammar/names.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import type { TargetDescription } from '../../engine/result.ts';
import { Literals, written } from '../../recording/literals.ts';
import { type CounterexampleScenario, withoutEmptyReferences } from '../counterexample/scenario.ts';
import type { Expected } from '../model/expected.ts';
import { originatorOf } from './model/originator.ts';
import { type Asker, askers } from './model/resource.ts';
import { inboxNames, type StandardAttempt } from './moves/move.ts';
import type { StandardPerformed } from './run.ts';

type Sent = Extract<StandardPerformed, { attempt: unknown }>;

export function drawn(
  performed: readonly StandardPerformed[],
  { requirement, check }: Expected,
  about: { readonly description: TargetDescription; readonly label: string },
): CounterexampleScenario {
  const names = new Names(about.description, about.label);
  const last = performed.length - 1;
  const drafts = performed.map((one, at) => {
    const judged = () => (at === last ? { check: { [requirement]: names.check(check) } } : {});
    if ('advance' in one) return { step: { advance: one.advance }, captures: {} };
    if ('step' in one) return { step: { ...one.step, ...judged() }, captures: {} };
    const step = names.request(one.attempt);
    const captures = names.capture(one, at + 1);
    return { step: { ...step, ...expectationOf(one, at === last), ...judged() }, captures };
  });
  const steps = drafts.map(({ step, captures }) => {
    const needed = Object.entries(captures).filter(([name]) => names.used.has(written(name)));
    return needed.length === 0 ? step : { ...step, capture: Object.fromEntries(needed) };
  });
  const inboxes = inboxNames.filter((name) => JSON.stringify(steps).includes(name));
  return {
    dialect: 'onem2m',
    actors: names.actors,
    inboxes: Object.fromEntries(inboxes.map((name) => [name, {}])),
    steps: steps as unknown as Step[],
  };
}

/** What was done has to be done again; what was refused may go either way. */
function expectationOf({ attempt, outcome }: Sent, isLast: boolean): object {
  const expect = isLast ? attempt.expect : outcome === 'success' ? 'success' : 'either';
  return expect === 'success' ? {} : { expect };
}

class Names {
  readonly actors: Record<string, Actor> = {};
  readonly #literals = new Literals();
  readonly #description: TargetDescription;

  constructor(description: TargetDescription, label: string) {
    this.#description = description;
    // The names that sequences give at the CSE base, and their labels.
    for (const end of [...'abcdefghijklmnopqrstuvwxyz', 'red', 'blue', 'green'])
      this.#literals.add(`${label}-${end}`, `${written('name')}-${end}`);
    for (const asker of askers) this.#literals.add(originatorOf(asker, label), `C${written('name')}-${asker}`);
    for (const name of inboxNames) this.#literals.add(`inbox:/${name}`, written(inboxUrlName(name)));
  }

  get used(): ReadonlySet<string> {
    return this.#literals.used;
  }

  request({ step, by }: StandardAttempt): object {
    const as = { as: this.#actor(by) };
    if ('raw' in step) return { ...this.#raw(step), ...as };
    const replaced = this.#replacedIn(step) as Record<string, unknown>;
    const place =
      'create' in step
        ? 'in'
        : 'retrieve' in step
          ? 'retrieve'
          : 'update' in step
            ? 'update'
            : 'delete' in step
              ? 'delete'
              : 'discover';
    const path = this.#path(String((step as Readonly<Record<string, unknown>>)[place]));
    const { et: _, ...attributes } = (replaced.attributes ?? {}) as Record<string, unknown>;
    const given = isAe(step) ? { attributes } : {};
    return { ...replaced, ...given, [place]: path, ...as };
  }

  /** The base begins what attributes refer to. */
  #replacedIn(value: object): unknown {
    const { base } = this.#description;
    const text = JSON.stringify(this.#literals.replacedIn(value));
    return JSON.parse(text.replaceAll(`"${base}/`, `"${written('base')}/`));
  }

  #raw({ raw, creates }: Extract<StandardAttempt['step'], { raw: unknown }>): object {
    if ('bytes' in raw) return { raw };
    return { raw: { ...raw, path: this.#path(raw.path) }, ...(creates && { creates: this.#path(creates) }) };
  }

  #actor(by: Asker): string {
    this.actors[by] = { registered: false, originator: `C${written('name')}-${by}` };
    return by;
  }

  /** With names for the CSE base and the identifiers of the target, where they stand. */
  #path(path: string): string {
    const { base, cseId, spId } = this.#description;
    const [, first = '', ...more] = path.split('/');
    const known: ReadonlyArray<readonly [string, string]> =
      first === '~'
        ? [
            [cseId, 'cse'],
            [base, 'base'],
          ]
        : first === '_'
          ? [
              [spId, 'sp'],
              [cseId, 'cse'],
              [base, 'base'],
            ]
          : [[base, 'base']];
    const scoped = first === '~' || first === '_';
    const segments = scoped ? more : [first, ...more];
    const named = segments.map((segment, at) => {
      const [literal, name] = known[at] ?? [];
      return segment === literal && name !== undefined ? written(name) : this.#literals.replaced(segment);
    });
    return ['', ...(scoped ? [first] : []), ...named].join('/');
  }

  /** The base stands in patterns of addresses, too. */
  check(check: Check): Check {
    const { base } = this.#description;
    const pattern = (text: string) => text.replaceAll(`(^|/)${base}/`, `(^|/)${written('base')}/`);
    const replaced = withoutEmptyReferences(this.#literals.replacedIn(check));
    return JSON.parse(pattern(JSON.stringify(replaced))) as Check;
  }

  /** What the target made up, under names by which later steps and the check can speak of it. */
  capture({ exchange, outcome, attempt }: Sent, number: number): Record<string, unknown> {
    const { attributes } = viewOf(exchange);
    if (outcome !== 'success' || attributes === undefined) return {};
    const { step } = attempt;
    const madeUp = 'retrieve' in step && step.retrieve.endsWith('/la');
    const given = 'create' in step ? step.attributes?.rn : madeUp ? undefined : attributes.rn;
    const captures: Record<string, unknown> = {};
    for (const name of ['ri', 'ct', 'et', 'rn'] as const) {
      const value = attributes[name];
      if (typeof value !== 'string' || (name === 'rn' && value === given)) continue;
      this.#literals.add(value, written(`${name}-${number}`));
      captures[`${name}-${number}`] = name;
    }
    return captures;
  }
}

function isAe(step: StandardAttempt['step']): boolean {
  return 'create' in step && step.create === 'ae';
}

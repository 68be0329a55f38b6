/** A counterexample of the onem2m dialect in the words of the scenario grammar: what differs from run to run is captured, not repeated. */
import type { Actor } from '../../engine/grammar/grammar.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { inboxUrlName } from '../../engine/grammar/names.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import type { TargetDescription } from '../../engine/result.ts';
import type { Site } from '../../engine/running/site.ts';
import { Literals, written } from '../../recording/literals.ts';
import { type CounterexampleScenario, withoutEmptyReferences } from '../counterexample/scenario.ts';
import type { Expected } from '../model/expected.ts';
import { originatorOf } from './model/originator.ts';
import { type Asker, askers } from './model/resource.ts';
import { inboxNames, inboxOf, type StandardAttempt } from './moves/move.ts';
import type { StandardPerformed } from './run.ts';

type Sent = Extract<StandardPerformed, { attempt: unknown }>;

interface Described {
  readonly description: TargetDescription;
  /** Of a pair. */
  readonly backend?: TargetDescription;
  readonly label: string;
}

export function drawn(
  performed: readonly StandardPerformed[],
  { requirement, check }: Expected,
  about: Described,
): CounterexampleScenario {
  const names = new Names(about);
  const last = performed.length - 1;
  const drafts = performed.map((one, at) => {
    const isJudged = Object.keys(check).length > 0;
    const judged = () => (at === last && isJudged ? { check: { [requirement]: names.check(check) } } : {});
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
  const inboxes = sites
    .flatMap((site) => inboxNames.map((name) => inboxOf(name, site)))
    .filter((name) => speaksOf(steps, name));
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

const sites: readonly Site[] = ['gateway', 'backend'];

function speaksOf(steps: readonly object[], inbox: string): boolean {
  const text = JSON.stringify(steps);
  return text.includes(`"${inbox}"`) || text.includes(written(inboxUrlName(inbox)));
}

class Names {
  readonly actors: Record<string, Actor> = {};
  /** Two CSEs may make up the same. */
  readonly #ofSites = { gateway: new Literals(), backend: new Literals() };
  readonly #descriptions: Readonly<Record<Site, TargetDescription>>;
  /** Where stands what is spoken of, and who is asked for it. */
  #host: Site = 'gateway';
  #on: Site = 'gateway';

  constructor({ description, backend, label }: Described) {
    this.#descriptions = { gateway: description, backend: backend ?? description };
    for (const site of sites) {
      const literals = this.#ofSites[site];
      // The names that sequences give at the CSE base, and their labels.
      for (const end of [...'abcdefghijklmnopqrstuvwxyz', 'red', 'blue', 'green'])
        literals.add(`${label}-${end}`, `${written('name')}-${end}`);
      for (const asker of askers) literals.add(originatorOf(asker, label), `C${written('name')}-${asker}`);
      for (const name of inboxNames) literals.add(`inbox:/${name}`, written(inboxUrlName(inboxOf(name, site))));
    }
  }

  get used(): ReadonlySet<string> {
    const { gateway, backend } = this.#ofSites;
    return new Set([...gateway.used, ...backend.used]);
  }

  get #literals(): Literals {
    return this.#ofSites[this.#host];
  }

  /** With `backend-` before names of a pair that are the backend's. */
  #written(name: string, site = this.#host): string {
    return written(site === 'backend' ? `backend-${name}` : name);
  }

  request({ step, by, on = 'gateway', host = on }: StandardAttempt): object {
    this.#host = host;
    this.#on = on;
    const as = { as: this.#actor(by), ...(on === 'backend' && { on }) };
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
    const { base } = this.#descriptions[this.#host];
    const text = JSON.stringify(this.#literals.replacedIn(value));
    return JSON.parse(text.replaceAll(`"${base}/`, `"${this.#written('base')}/`));
  }

  #raw({ raw, creates }: Extract<StandardAttempt['step'], { raw: unknown }>): object {
    if ('bytes' in raw) return { raw };
    return { raw: { ...raw, path: this.#path(raw.path) }, ...(creates && { creates: this.#path(creates) }) };
  }

  /** Through another CSE in the form by which that one knows it as well. */
  #actor(by: Asker): string {
    const stem = `C${written('name')}-${by}`;
    const direct = this.#host === this.#on;
    const name = direct ? by : `${by}at${this.#host}`;
    const originator = direct ? stem : `//${this.#written('sp')}/${this.#written('cse')}/${stem}`;
    this.actors[name] = { registered: false, originator };
    return name;
  }

  /** With names for the CSE base and the identifiers of the target, where they stand. */
  #path(path: string): string {
    const { base, cseId, spId } = this.#descriptions[this.#host];
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
      return segment === literal && name !== undefined ? this.#written(name) : this.#literals.replaced(segment);
    });
    return ['', ...(scoped ? [first] : []), ...named].join('/');
  }

  /** The base stands in patterns of addresses, too. */
  check(check: Check): Check {
    const { base } = this.#descriptions[this.#host];
    const pattern = (text: string) => text.replaceAll(`(^|/)${base}/`, `(^|/)${this.#written('base')}/`);
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

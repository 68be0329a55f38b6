/** A counterexample in the words of the scenario grammar: what differs from run to run is captured, not repeated. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Actor, Inbox } from '../../engine/grammar/grammar.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import type { TargetDescription } from '../../engine/result.ts';
import type { Site } from '../../engine/running/site.ts';
import { Literals, written } from '../../recording/literals.ts';
import type { Expected } from '../model/expected.ts';
import type { Attempt } from '../moves/move.ts';
import { originatorText, type Performed } from '../sequence-run.ts';

/** A scenario without its key and its title; the last step carries the check that fails. */
export interface CounterexampleScenario {
  /** `documented` when absent. */
  readonly dialect?: Dialect;
  readonly inboxes?: Readonly<Record<string, Inbox>>;
  readonly actors: Readonly<Record<string, Actor>>;
  readonly steps: readonly Step[];
}

type Sent = Extract<Performed, { attempt: unknown }>;

interface Described {
  readonly description: TargetDescription;
  /** Of a pair. */
  readonly backend?: TargetDescription | undefined;
  readonly label: string;
}

export function scenarioOf(
  performed: readonly Performed[],
  { requirement, check }: Expected,
  about: Described,
): CounterexampleScenario {
  const names = new Names(about);
  const last = performed.length - 1;
  const drafts = performed.map((one, at) => {
    if ('advance' in one) return { step: { advance: one.advance }, captures: {} };
    const step = names.request(one.attempt);
    const judged = at === last && Object.keys(check).length > 0 ? { check: { [requirement]: names.check(check) } } : {};
    return { step: { ...step, ...expectationOf(one, at === last), ...judged }, captures: names.capture(one, at + 1) };
  });
  const steps = drafts.map(({ step, captures }) => {
    const needed = Object.entries(captures).filter(([name]) => names.used.has(written(name)));
    return needed.length === 0 ? step : { ...step, capture: Object.fromEntries(needed) };
  });
  return { actors: names.actors, steps: steps as unknown as Step[] };
}

/** What was done has to be done again; what was refused may go either way, unless a note says that it matters. */
function expectationOf({ attempt, outcome }: Sent, isLast: boolean): object {
  const refused = outcome === 'refused' && 'note' in attempt.step ? 'refusal' : 'either';
  const expect = isLast ? attempt.expect : outcome === 'success' ? 'success' : refused;
  return expect === 'success' ? {} : { expect };
}

class Names {
  readonly actors: Record<string, Actor> = {};
  /** Two CSEs may give the same identifiers. */
  readonly #ofSites = { gateway: new Literals(), backend: new Literals() };
  readonly #description: TargetDescription;
  readonly #backend: TargetDescription | undefined;
  readonly #label: string;
  /** Where stands what is spoken of, and who is asked for it. */
  #host: Site = 'gateway';
  #on: Site = 'gateway';

  constructor({ description, backend, label }: Described) {
    this.#description = description;
    this.#backend = backend;
    this.#label = label;
    // The names that sequences give at the CSE base, and their labels.
    const ends = [...'abcdefghijklmnopqrstuvwxyz', 'red', 'blue', 'green'];
    for (const end of ends) this.#addEverywhere(`${label}-${end}`, `${written('name')}-${end}`);
    if (backend === undefined) return;
    this.#addEverywhere(description.cseId, written('cse'));
    this.#addEverywhere(backend.cseId, written('backend-cse'));
  }

  get used(): ReadonlySet<string> {
    const { gateway, backend } = this.#ofSites;
    return new Set([...gateway.used, ...backend.used]);
  }

  get #literals(): Literals {
    return this.#ofSites[this.#host];
  }

  #addEverywhere(text: string, name: string): void {
    for (const literals of Object.values(this.#ofSites)) literals.add(text, name);
  }

  request({ step, by, on = 'gateway', host = on }: Attempt): object {
    this.#host = host;
    this.#on = on;
    const elsewhere = on === 'backend' ? { on } : {};
    const as = { ...(by !== 'nobody' && { as: this.#actor(by) }), ...elsewhere };
    if ('create' in step) {
      const { et: _, ...attributes } = step.attributes ?? {};
      return { create: step.create, in: this.#path(step.in), attributes: this.#literals.replacedIn(attributes), ...as };
    }
    if ('retrieve' in step) {
      return { ...(step.note !== undefined && { note: step.note }), retrieve: this.#path(step.retrieve), ...as };
    }
    if ('delete' in step) return { delete: this.#path(step.delete), ...as };
    if ('update' in step) {
      const attributes = this.#literals.replacedIn(step.attributes);
      return { update: this.#path(step.update), kind: step.kind, attributes, ...as };
    }
    if ('discover' in step) {
      return { discover: this.#path(step.discover), where: this.#literals.replacedIn(step.where), ...as };
    }
    return { ...this.#raw(step), ...as };
  }

  #raw({ raw, creates }: Extract<Attempt['step'], { raw: unknown }>): object {
    if ('bytes' in raw) return { raw };
    const body = typeof raw.body === 'string' ? { body: this.#literals.replaced(raw.body) } : {};
    return { raw: { ...raw, path: this.#path(raw.path), ...body }, ...(creates && { creates: this.#path(creates) }) };
  }

  #actor(by: Exclude<Attempt['by'], 'nobody'>): string {
    const { description } = { description: this.#description };
    const text = originatorText(by, this.#label, description) ?? '';
    const { cseId, spId } = description;
    const originator = text
      .replace(`//${spId}/${cseId}/`, `//${written('sp')}/${written('cse')}/`)
      .replace(this.#label, written('name'));
    this.actors[by] = { registered: false, originator };
    this.#addEverywhere(text, written(`${by}.originator`));
    return by;
  }

  /** With names for the CSE base and the identifiers of the target, where they stand. */
  #path(path: string): string {
    const segments = path.split('/');
    const first = segments[1];
    const { base, cseId, spId, prefix } = this.#named(first === '~' ? segments[2] : first === '_' ? segments[3] : '');
    const known = first === '~' ? [cseId, base] : first === '_' ? [spId, cseId, base] : [base];
    const plain = first === '~' ? ['cse', 'base'] : first === '_' ? ['sp', 'cse', 'base'] : ['base'];
    const standing = plain.map((name) => prefix + name);
    const from = first === '~' || first === '_' ? 2 : 1;
    const named = segments.map((segment, at) => {
      const name = known[at - from] === segment ? standing[at - from] : undefined;
      return name === undefined ? this.#literals.replaced(segment) : written(name);
    });
    return named.join('/');
  }

  /** The CSE that a path names; the one that is asked where it names none. */
  #named(cseId: string | undefined): TargetDescription & { readonly prefix: string } {
    const backend = this.#backend;
    const meant = cseId === '' ? this.#on === 'backend' : cseId === backend?.cseId;
    return meant && backend !== undefined ? { ...backend, prefix: 'backend-' } : { ...this.#description, prefix: '' };
  }

  check(check: Check): Check {
    return withoutEmptyReferences(this.#literals.replacedIn(check)) as Check;
  }

  /** What the target made up, under names by which later steps and the check can speak of it. */
  capture({ attempt, exchange, outcome }: Sent, number: number): Record<string, unknown> {
    const { attributes } = viewOf(exchange);
    if (outcome !== 'success' || attributes === undefined) return {};
    const { step } = attempt;
    const given = 'create' in step ? step.attributes?.rn : 'raw' in step ? undefined : attributes.rn;
    const captures: Record<string, unknown> = {};
    for (const name of ['ri', 'aei', 'ct', 'pi', 'rn'] as const) {
      const value = attributes[name];
      if (typeof value !== 'string' || (name === 'rn' && value === given)) continue;
      this.#literals.add(value, written(`${name}-${number}`));
      captures[`${name}-${number}`] = name;
    }
    const created = typeof attributes.ct === 'string' ? parseTimestamp(attributes.ct) : undefined;
    if (created !== undefined) {
      this.#literals.add(writeTimestamp(created, 'with a space'), written(`created-${number}`));
      captures[`created-${number}`] = { attribute: 'ct', written: 'with a space' };
    }
    return captures;
  }
}

/** `same as` speaks of captures; a text that is no such is compared by `equals`. */
export function withoutEmptyReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyReferences);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const plain = key === 'same as' && typeof inner === 'string' && !inner.includes(written('').slice(0, 2));
    return [plain ? 'equals' : key, withoutEmptyReferences(inner)];
  });
  return Object.fromEntries(entries);
}

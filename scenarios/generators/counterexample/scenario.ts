/** A counterexample in the words of the scenario grammar: what differs from run to run is captured, not repeated. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Actor, InboxBlock } from '../../engine/grammar/grammar.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { inboxUrlName } from '../../engine/grammar/names.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import type { TargetDescription } from '../../engine/results/result.ts';
import type { MemberName } from '../../engine/targets/installation.ts';
import { Literals, placeholder, withCaptures } from '../../recording/placeholders.ts';
import { type Attempt, inboxNames, inboxOf } from '../moves/move.ts';
import { members } from '../pair/through.ts';
import type { Demand } from '../sequences/rule-judges.ts';
import { originatorText } from '../sequences/sender.ts';
import type { Performed } from '../sequences/sequence-run.ts';

/** A scenario without its key and its title; the last step carries the check that fails. */
export interface CounterexampleScenario {
  /** `documented` when absent. */
  readonly dialect?: Dialect;
  readonly inboxes?: Readonly<Record<string, InboxBlock>>;
  readonly actors: Readonly<Record<string, Actor>>;
  readonly steps: readonly Step[];
}

type Sent = Extract<Performed, { attempt: unknown }>;

interface ScenarioContextFacts {
  readonly dialect: Dialect;
  readonly description: TargetDescription;
  /** Of a pair. */
  readonly backend?: TargetDescription | undefined;
  readonly label: string;
}

export function toScenario(
  performed: readonly Performed[],
  { requirement, check }: Demand,
  about: ScenarioContextFacts,
): CounterexampleScenario {
  const names = new Names(about);
  const last = performed.length - 1;
  const drafts = performed.map((one, at) => {
    if ('advance' in one) return { step: { advance: one.advance }, captures: {} };
    const isChecked = at === last && Object.keys(check).length > 0;
    const checkPart = () => (isChecked ? { check: { [requirement]: names.check(check) } } : {});
    if ('step' in one) return { step: { ...one.step, ...checkPart() }, captures: {} };
    const step = { ...names.request(one.attempt), ...expectationOf(one, at === last), ...checkPart() };
    return { step, captures: names.capture(one, at + 1) };
  });
  const { used } = names;
  const steps = drafts.map(({ step, captures }) => withCaptures(step, captures, used));
  const inboxes = Object.fromEntries(inboxesIn(JSON.stringify(steps)).map((name) => [name, {}]));
  return {
    ...(about.dialect === 'onem2m' && { dialect: about.dialect, inboxes }),
    actors: names.actors,
    steps: steps as unknown as Step[],
  };
}

/** Inboxes in the steps. */
function inboxesIn(text: string): string[] {
  const all = members.flatMap((member) => inboxNames.map((name) => inboxOf(name, member)));
  return all.filter((name) => text.includes(`"${name}"`) || text.includes(placeholder(inboxUrlName(name))));
}

/** A success has to succeed again; a refusal, and the checked step, may go either way. */
function expectationOf({ outcome }: Sent, isLast: boolean): object {
  return outcome === 'success' && !isLast ? {} : { expect: 'either' };
}

/** Attributes that the target assigns. */
const madeUp = {
  documented: ['ri', 'aei', 'ct', 'pi', 'rn'],
  onem2m: ['ri', 'ct', 'et', 'rn'],
} as const satisfies Record<Dialect, readonly string[]>;

class Names {
  readonly actors: Record<string, Actor> = {};
  /** Two CSEs may give the same identifiers. */
  readonly #ofMembers = { gateway: new Literals(), backend: new Literals() };
  readonly #about: ScenarioContextFacts;
  /** The host of the resource, and the CSE addressed. */
  #host: MemberName = 'gateway';
  #on: MemberName = 'gateway';

  constructor(about: ScenarioContextFacts) {
    this.#about = about;
    const { dialect, backend, label } = about;
    // The names that sequences give at the CSE base, and their labels.
    const ends = [...'abcdefghijklmnopqrstuvwxyz', 'red', 'blue', 'green'];
    for (const end of ends) this.#addEverywhere(`${label}-${end}`, `${placeholder('name')}-${end}`);
    if (dialect === 'onem2m') this.#addStandard(label);
    for (const member of backend === undefined ? members.slice(0, 1) : members) this.#addCse(member);
  }

  /** Its identifiers, as in paths and originators, and its base, which address patterns contain as well. */
  #addCse(member: MemberName): void {
    const { base, cseId, spId, prefix } = this.#at(member);
    const [cse, sp] = [placeholder(`${prefix}cse`), placeholder(`${prefix}sp`)];
    this.#addEverywhere(`/~/${cseId}`, `/~/${cse}`);
    for (const before of ['/_/', '//']) this.#addEverywhere(`${before}${spId}/${cseId}`, `${before}${sp}/${cse}`);
    this.#ofMembers[member].add(base, placeholder(`${prefix}base`));
    if (!this.#isStandard && this.#about.backend !== undefined) this.#addEverywhere(cseId, cse);
  }

  #addStandard(label: string): void {
    for (const asker of ['first', 'second', 'stranger'])
      this.#addEverywhere(`C${label}-${asker}`, `C${placeholder('name')}-${asker}`);
    for (const member of members)
      for (const name of inboxNames)
        this.#ofMembers[member].add(`inbox:/${name}`, placeholder(inboxUrlName(inboxOf(name, member))));
  }

  get used(): ReadonlySet<string> {
    const { gateway, backend } = this.#ofMembers;
    return new Set([...gateway.used, ...backend.used]);
  }

  get #literals(): Literals {
    return this.#ofMembers[this.#host];
  }

  get #isStandard(): boolean {
    return this.#about.dialect === 'onem2m';
  }

  #addEverywhere(text: string, name: string): void {
    for (const literals of Object.values(this.#ofMembers)) literals.add(text, name);
  }

  request({ step, by, on = 'gateway', host = on }: Attempt): object {
    this.#host = host;
    this.#on = on;
    const as = { ...(by !== 'nobody' && { as: this.#actor(by) }), ...(on === 'backend' && { on }) };
    if ('raw' in step) return { ...this.#raw(step), ...as };
    const replaced = this.#replacedIn(step);
    const { et: _, ...attributes } = (replaced.attributes ?? {}) as Record<string, unknown>;
    const requested = 'create' in step && (!this.#isStandard || step.create === 'ae') ? { attributes } : {};
    return { ...replaced, ...requested, ...as };
  }

  /** Keywords stay, whatever the CSE base is called. */
  #replacedIn(step: object): Record<string, unknown> {
    const words = Object.entries(step).filter(([key]) => ['create', 'kind', 'root', 'note'].includes(key));
    return { ...(this.#literals.replacedIn(step) as object), ...Object.fromEntries(words) };
  }

  #raw({ raw, creates }: Extract<Attempt['step'], { raw: unknown }>): object {
    if ('bytes' in raw) return { raw };
    const replaced = (text: string) => this.#literals.replaced(text);
    const body = typeof raw.body === 'string' ? { body: replaced(raw.body) } : {};
    return { raw: { ...raw, path: replaced(raw.path), ...body }, ...(creates && { creates: replaced(creates) }) };
  }

  #actor(by: string): string {
    const { label, description } = this.#about;
    const text = originatorText(by, label, description) ?? '';
    const isDirect = !this.#isStandard || this.#host === this.#on;
    const { spId, cseId } = this.#at(this.#host);
    const name = isDirect ? by : `${by}at${this.#host}`;
    if (Object.hasOwn(this.actors, name)) return name;
    const originator = this.#literals.replaced(isDirect ? text : `//${spId}/${cseId}/${text}`);
    this.actors[name] = { registered: false, originator: originator.replace(label, placeholder('name')) };
    if (!this.#isStandard) this.#addEverywhere(text, placeholder(`${by}.originator`));
    return name;
  }

  #at(member: MemberName): TargetDescription & { readonly prefix: string } {
    const { description, backend } = this.#about;
    return member === 'backend' && backend !== undefined
      ? { ...backend, prefix: 'backend-' }
      : { ...description, prefix: '' };
  }

  check(check: Check): Check {
    return withoutEmptyReferences(this.#literals.replacedIn(check)) as Check;
  }

  /** Assigned values, under names for later steps and the check. */
  capture({ attempt, exchange, outcome }: Sent, number: number): Record<string, unknown> {
    const { attributes } = viewOf(exchange);
    if (outcome !== 'success' || attributes === undefined) return {};
    const { step } = attempt;
    const isNewest = this.#isStandard && 'retrieve' in step && step.retrieve.endsWith('/la');
    const requested = 'create' in step ? step.attributes?.rn : isNewest || 'raw' in step ? undefined : attributes.rn;
    const captures: Record<string, unknown> = {};
    for (const name of madeUp[this.#about.dialect]) {
      const value = attributes[name];
      if (typeof value !== 'string' || (name === 'rn' && value === requested)) continue;
      this.#literals.add(value, placeholder(`${name}-${number}`));
      captures[`${name}-${number}`] = name;
    }
    const created = !this.#isStandard && typeof attributes.ct === 'string' ? parseTimestamp(attributes.ct) : undefined;
    if (created !== undefined) {
      this.#literals.add(writeTimestamp(created, 'with a space'), placeholder(`created-${number}`));
      captures[`created-${number}`] = { attribute: 'ct', written: 'with a space' };
    }
    return captures;
  }
}

/** `same as` refers to captures; other texts are compared by `equals`. */
function withoutEmptyReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyReferences);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const plain = key === 'same as' && !(typeof inner === 'string' && inner.includes(placeholder('').slice(0, 2)));
    return [plain ? 'equals' : key, withoutEmptyReferences(inner)];
  });
  return Object.fromEntries(entries);
}

import { isDeepStrictEqual } from 'node:util';
import { viewOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { CseNames } from '../safety/address.ts';
import { type Asked, askedIn } from './asked.ts';
import { type Held, instancesOf, isGiven, isGone, isLimited, type Sender, withAllBelow } from './held.ts';
import { resourceTypes, type TypeName } from './resource-types.ts';

/** An exchange with what was known before it. */
export interface Seen {
  readonly asked: Asked;
  readonly sender: Sender;
  readonly exchange: Exchange;
  /** Whether it was sent as any HTTP client sends, and not written by the letter. */
  readonly isOrdinary: boolean;
  /** Whether nobody has to show a certificate, or one that was taken before is shown. */
  readonly isAuthenticated: boolean;
  /** What is addressed; that which holds what is created. Absent where nothing is known of it, and for the CSE base. */
  readonly held?: Held;
  /** Whether the CSE base is addressed. */
  readonly atBase: boolean;
  /** What stands, or stood, where something is to be created by this name. */
  readonly before?: Held;
}

/** Attributes that a service chooses once. */
const lasting = ['ri', 'pi', 'ct', 'aei', 'ty', 'nl', 'cr'] as const;

/**
 * What a run made true at a CSE, and what it was shown of it. It follows only what the run created; of what nobody can
 * tell (no answer came, a request that servers read differently) it knows nothing.
 */
export class Observation {
  readonly names: CseNames;
  /** By its names; the last that stood there. */
  readonly #held = new Map<string, Held>();
  readonly #isSecure: boolean;
  /** Senders of which a request was accepted. */
  readonly #accepted = new Set<string>();
  /** Whether time was let pass, so that what the service does by itself cannot be told. */
  timePassed = false;

  constructor(names: CseNames & { readonly url?: string }) {
    this.names = names;
    this.#isSecure = names.url?.startsWith('https:') === true;
  }

  get all(): readonly Held[] {
    return [...this.#held.values()];
  }

  /** Undefined where nothing can be told of what was asked. */
  see(exchange: Exchange, isOrdinary: boolean): Seen | undefined {
    const asked = askedIn(exchange, this.names);
    if (asked === 'elsewhere') return undefined;
    if (asked === undefined) {
      if (mayChange(exchange)) this.doubtAll();
      return undefined;
    }
    const held = this.#addressed(asked);
    const rn = asked.operation === 'create' ? asked.given?.rn : undefined;
    const before = typeof rn === 'string' ? this.#held.get(keyOf([...(held?.names ?? []), rn])) : undefined;
    const sender = { originator: asked.headers.get('x-m2m-origin'), certificate: exchange.certificate };
    const atBase = asked.names.length === 0 && asked.virtual === undefined;
    const isAuthenticated = !this.#isSecure || this.#accepted.has(whoIs(sender));
    return {
      asked,
      sender,
      exchange,
      isOrdinary,
      isAuthenticated,
      ...(held && { held }),
      atBase,
      ...(before && { before }),
    };
  }

  /** Takes note of what has become of an exchange. */
  take(seen: Seen): void {
    const { asked, exchange, held } = seen;
    const { status = 0 } = exchange.answer ?? {};
    if (status >= 200 && status < 300) this.#accepted.add(whoIs(seen.sender));
    if (asked.operation === 'retrieve') this.#shown(seen);
    if (asked.operation === 'discover') this.#found(seen);
    // What does not fit may cost what is there, even where it is refused.
    if (asked.operation === 'create' && held !== undefined && isLimited(held)) doubtInstances(held);
    if (!mayChange(exchange)) return;
    for (const one of this.#held.values()) one.recent = undefined;
    // What is answered later may change anything then.
    if (asked.operation === 'create') this.#created(seen, status);
    else if (asked.operation === 'delete') this.#deleted(seen, status);
    else if (asked.operation === 'update' && held !== undefined) this.#updated(held, asked, status);
    else if (asked.operation === 'other') this.doubtAll();
  }

  doubtAll(): void {
    for (const one of this.#held.values()) doubt(one);
  }

  #addressed({ form, names, virtual }: Asked): Held | undefined {
    if (form !== 'identifier') return this.#held.get(keyOf(names));
    const [identifier, ...below] = names;
    const found = this.all.filter(({ shown, confirmed }) => confirmed.has('ri') && shown.get('ri') === identifier);
    const [one] = found;
    if (one === undefined || found.length > 1) return undefined;
    return below.length === 0 || virtual !== undefined ? one : this.#held.get(keyOf([...one.names, ...below]));
  }

  #created(seen: Seen, status: number): void {
    const { held, atBase, before } = seen;
    if (held === undefined && !atBase) return;
    const made = madeBy(seen, status);
    // What was accepted twice may be the old one, the new one or both.
    if (made !== undefined && (before === undefined || isGone(before))) {
      this.#add(seen, { ...made, ...(held && { parent: held }) });
      return;
    }
    if (held !== undefined) held.isComplete = false;
    if (before === undefined) return;
    doubt(before);
    this.#held.delete(keyOf(before.names));
  }

  #add(
    { asked, exchange, sender }: Seen,
    { name, type, parent }: { name: string; type: TypeName; parent?: Held },
  ): void {
    const held: Held = {
      names: [...(parent?.names ?? []), name],
      type,
      ...(parent && { parent }),
      given: new Map(Object.entries(asked.given ?? {}).filter(([name, value]) => isGiven(name, value))),
      shown: new Map(),
      confirmed: new Set(),
      createdBy: sender,
      form: asked.form,
      createdAt: exchange.at + exchange.took,
      children: [],
      state: 'there',
      isComplete: true,
    };
    const { attributes = {} } = viewOf(exchange);
    // How labels are set is not shown: they count once the answer shows them.
    if (held.given.has('lbl') && !isDeepStrictEqual(attributes.lbl, held.given.get('lbl')))
      held.given.set('lbl', undefined);
    doubtInstances(held);
    for (const one of [...lasting, 'et', 'mni', 'mbs', 'mia'])
      if (Object.hasOwn(attributes, one)) held.shown.set(one, attributes[one]);
    this.#held.set(keyOf(held.names), held);
    parent?.children.push(held);
  }

  #deleted({ asked, held }: Seen, status: number): void {
    if (held === undefined) return;
    if (asked.virtual !== undefined) {
      for (const one of instancesOf(held)) doubt(one);
      held.isComplete = false;
    } else if (status === 200 || status === 204) {
      held.state = 'gone';
    } else doubt(held);
  }

  /** What a read shows is known from then on. */
  #shown({ exchange, held, asked, sender }: Seen): void {
    const { attributes, root = '' } = viewOf(exchange);
    if (held === undefined || asked.virtual !== undefined || attributes === undefined) return;
    if (resourceTypes.get(root)?.name !== held.type) return;
    if (asked.form === 'CSE-relative' && asked.query.size === 0) held.recent = { sender, shown: attributes };
    for (const one of lasting) {
      if (!Object.hasOwn(attributes, one)) continue;
      if (!held.shown.has(one)) held.shown.set(one, attributes[one]);
      else if (held.shown.get(one) === attributes[one]) held.confirmed.add(one);
    }
  }

  #found({ asked, exchange }: Seen): void {
    const label = asked.query.get('lbl') ?? '';
    const paths = (viewOf(exchange).found ?? []).map(String);
    for (const one of this.#held.values()) {
      const labels = one.given.get('lbl');
      const isListed = () => paths.some((path) => path.endsWith(`/${one.names.join('/')}`));
      if (Array.isArray(labels) && labels.includes(label) && isListed()) one.isFound = true;
    }
  }

  #updated(held: Held, { given, virtual }: Asked, status: number): void {
    const cannotTell = virtual !== undefined || status === 0 || status >= 300 || given === undefined;
    for (const name of cannotTell ? held.given.keys() : Object.keys(given)) held.given.set(name, undefined);
    held.given.set('lbl', undefined);
    held.shown.delete('et');
  }
}

function whoIs({ originator, certificate }: Sender): string {
  return JSON.stringify([originator, certificate]);
}

/** Undefined where nobody can tell what was made, and how it is called. */
function madeBy({ asked, exchange }: Seen, status: number): { name: string; type: TypeName } | undefined {
  if ((status !== 201 && status !== 200) || asked.virtual !== undefined) return undefined;
  const { attributes, root = '' } = viewOf(exchange);
  const name = asked.given?.rn ?? attributes?.rn;
  const type = asked.type ?? resourceTypes.get(root)?.name;
  return typeof name === 'string' && type !== undefined ? { name, type } : undefined;
}

/** Such as `a/b`, whatever the names are. */
function keyOf(names: readonly string[]): string {
  return JSON.stringify(names);
}

/** A refusal changes nothing, but a removal that did not find what was there leaves in doubt whether it is. */
function mayChange({ request, answer }: Exchange): boolean {
  const { status = 0 } = answer ?? {};
  const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
  const isRefused = status >= 400 && status < 500 && !(request.method === 'DELETE' && status === 404);
  return request.exactBytes === true || (!isRead && !isRefused);
}

function doubtInstances(container: Held): void {
  for (const one of instancesOf(container)) doubt(one);
}

/** It may be there, with all that was below it, or not. */
function doubt(held: Held): void {
  for (const one of withAllBelow(held)) {
    if (one.state === 'there') one.state = 'doubtful';
    one.isComplete = false;
  }
  if (held.parent !== undefined) held.parent.isComplete = false;
}

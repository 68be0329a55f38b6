import type { Dialect } from '../engine/grammar/dialects.ts';
import { isSuccess, viewOf } from '../engine/judging/answer.ts';
import type { AddressForm } from './observation/asked.ts';
import type { Subject } from './observation/facts.ts';
import { isGone, isThere, type Requester } from './observation/held.ts';
import { isPermitted } from './observation/permitted.ts';
import { typeOfRoot } from './observation/resource-types.ts';
import type { Seen } from './observation/seen.ts';
import { isAsShown, isPlain } from './plain.ts';
import type { When } from './rule.ts';

/** An exchange as the selectors of rules ask of it; each question is answered once. */
export class Selected {
  readonly #seen: Seen;
  readonly #dialect: Dialect;
  readonly #subject: Subject;
  readonly isAccepted: boolean;
  #plain: boolean | undefined;

  constructor(seen: Seen, subject: Subject, dialect: Dialect) {
    this.#seen = seen;
    this.#dialect = dialect;
    this.#subject = subject;
    this.isAccepted = isSuccess(seen.exchange);
  }

  /** All by which `isOfKind` tells rules apart. */
  get kind(): string {
    const { asked, standing } = this.#seen;
    const { operation, virtual, trailingSlash, form } = asked;
    const kind = [this.#dialect, operation, virtual, trailingSlash, form, this.isAccepted, standing, this.#type];
    return [...kind, this.#seen.isThrough, this.#seen.exchange.wire?.binding].join(' ');
  }

  /** Whether a rule is about exchanges of this kind. */
  isOfKind(when: When): boolean {
    const { asked } = this.#seen;
    return (
      isOneOf(when.operation, asked.operation) &&
      (when.through ?? false) === this.#seen.isThrough &&
      this.#isAddressedSo(when) &&
      (when.wire === undefined || when.wire === this.#seen.exchange.wire?.binding) &&
      (when.certificate === undefined || isOneOf(when.certificate, this.#seen.standing)) &&
      (when.accepted === undefined || this.isAccepted) &&
      (when.type === undefined || isOneOf(when.type, this.#type))
    );
  }

  /** Whether a rule that is about exchanges of this kind applies to this one. */
  by(when: When): boolean {
    return (
      (when.addressed === undefined || this.#isAddressed(when.addressed)) &&
      (when.parent === undefined || isOneOf(when.parent, this.#parent)) &&
      this.#hasQuery(when) &&
      (when.code === undefined || when.code === viewOf(this.#seen.exchange).rsc) &&
      (when.shows === undefined || this.#isShown) &&
      (when['created by'] === undefined || isNobody(this.#creator)) &&
      (when['created in'] === undefined || this.#isCreatedIn(when['created in'])) &&
      this.#hasGiven(when) &&
      (when.plain === undefined || (when.plain === true ? this.#isPlain : isAsShown(this.#seen)))
    );
  }

  /** Who is authenticated, and how an answer is carried, has nothing to do with what is addressed. */
  #isAddressedSo(when: When): boolean {
    const { asked } = this.#seen;
    if (when.certificate !== undefined || when.wire !== undefined) return true;
    return (
      when.virtual === asked.virtual &&
      (when.slash ?? false) === asked.trailingSlash &&
      isOneOf(when.form ?? usualForms[this.#dialect], asked.form)
    );
  }

  get #type(): string | undefined {
    const { asked, held } = this.#seen;
    if (asked.operation === 'create') return asked.type;
    if (asked.virtual === undefined) return held?.type;
    return held?.type === 'container' ? 'content-instance' : undefined;
  }

  get #creator(): Requester | undefined {
    const { asked, held, sender } = this.#seen;
    return asked.operation === 'create' ? sender : held?.createdBy;
  }

  get #parent(): string | undefined {
    const { asked, held, atBase } = this.#seen;
    if (asked.operation === 'create') return atBase ? 'base' : held?.type;
    return held === undefined ? undefined : (held.parent?.type ?? 'base');
  }

  #isAddressed(state: 'there' | 'gone'): boolean {
    const { asked, held, atBase, before, isUnclear, exchange } = this.#seen;
    const isNew = before === undefined && !isUnclear;
    if (held === undefined) return state === 'there' && atBase && isNew;
    if (state === 'gone') return isGone(held);
    const isFree = asked.operation !== 'create' || isNew;
    return isThere(held, exchange.at) && isFree;
  }

  /** What a query asks for beside is not shown. */
  #hasQuery({ query: names, wire }: When): boolean {
    const { query, operation } = this.#seen.asked;
    if (wire !== undefined && names === undefined) return true;
    if (names === 'any') return !query.has('rt');
    if (names === undefined) return query.size === 0 || operation === 'discover';
    return names.length === query.size && names.every((name) => query.has(name));
  }

  #hasGiven({ given, lacks }: When): boolean {
    const own = this.#subject.given;
    if (lacks?.some((name) => own.has(name)) === true) return false;
    return Object.entries(given ?? {}).every(([name, pattern]) => isLike(own.get(name), pattern));
  }

  get #isShown(): boolean {
    const { root, attributes } = viewOf(this.#seen.exchange);
    return attributes !== undefined && typeOfRoot(root, this.#dialect)?.name === this.#type;
  }

  /** It, or what it stands below. */
  #isCreatedIn(form: AddressForm): boolean {
    for (let one = this.#subject.held; one !== undefined; one = one.parent) if (one.createdIn === form) return true;
    return false;
  }

  get #isPlain(): boolean {
    this.#plain ??= this.#dialect === 'onem2m' ? isPermitted(this.#seen) : isPlain(this.#seen);
    return this.#plain;
  }
}

/** What the interface specification shows ("Core behaviours", 4; "Endpoints"); the standard shows every form. */
const usualForms = { documented: ['CSE-relative', 'SP-relative', 'root'], onem2m: undefined } as const;

function isOneOf(words: string | readonly string[] | undefined, word: string | undefined): boolean {
  if (words === undefined) return true;
  return word !== undefined && (typeof words === 'string' ? words === word : words.includes(word));
}

/** What is not known is like nothing. */
function isLike(value: unknown, pattern: string): boolean {
  return value !== undefined && new RegExp(`^(?:${pattern})$`, 'u').test(String(value));
}

function isNobody(sender: Requester | undefined): boolean {
  return sender !== undefined && sender.originator === undefined && sender.certificate === undefined;
}

import type { Dialect } from '../engine/grammar/dialects.ts';
import { isSuccess, viewOf } from '../engine/judging/answer.ts';
import { isAsDocumented, isAsSpecified } from './as-specified.ts';
import type { Subject } from './observation/facts.ts';
import { isGone, isThere, type Requester } from './observation/known-resource.ts';
import type { AddressForm } from './observation/parsed-request.ts';
import { isPermitted } from './observation/permitted.ts';
import { typeOfRoot } from './observation/resource-types.ts';
import type { SeenExchange } from './observation/seen-exchange.ts';
import type { When } from './rule.ts';

/** Selects the rules that apply to an exchange; each property is computed once. */
export class Selected {
  readonly #seen: SeenExchange;
  readonly #dialect: Dialect;
  readonly #subject: Subject;
  readonly isSuccess: boolean;
  #byCreator: boolean | undefined;

  constructor(seen: SeenExchange, subject: Subject, dialect: Dialect) {
    this.#seen = seen;
    this.#dialect = dialect;
    this.#subject = subject;
    this.isSuccess = isSuccess(seen.exchange);
  }

  /** Everything that `mayFit` depends on. */
  get key(): string {
    const { request, standing } = this.#seen;
    const { operation, virtual, trailingSlash, form } = request;
    const key = [this.#dialect, operation, virtual, trailingSlash, form, this.isSuccess, standing, this.#type];
    return [...key, this.#seen.isThrough, this.#seen.exchange.wire?.binding].join(' ');
  }

  /** Whether a rule may apply to exchanges with this key. */
  mayFit(when: When): boolean {
    const { request } = this.#seen;
    return (
      isOneOf(when.operation, request.operation) &&
      (when.forwarded ?? false) === this.#seen.isThrough &&
      this.#isAddressedSo(when) &&
      (when.wire === undefined || when.wire === this.#seen.exchange.wire?.binding) &&
      (when.certificate === undefined || isOneOf(when.certificate, this.#seen.standing)) &&
      (when.success === undefined || this.isSuccess) &&
      (when.type === undefined || isOneOf(when.type, this.#type))
    );
  }

  /** Whether a rule that may fit applies to this very exchange. */
  by(when: When): boolean {
    return (
      (when.target === undefined || this.#isTarget(when.target)) &&
      (when.parent === undefined || isOneOf(when.parent, this.#parent)) &&
      this.#hasQuery(when) &&
      (when.rsc === undefined || when.rsc === viewOf(this.#seen.exchange).rsc) &&
      (when.representation === undefined || this.#isReturned) &&
      (when['created by'] === undefined || isNobody(this.#creator)) &&
      (when['creation form'] === undefined || this.#isCreatedIn(when['creation form'])) &&
      this.#hasRequested(when) &&
      this.#isAsSpecified(when['as specified'])
    );
  }

  /** Rules about certificates and wires apply whatever is addressed. */
  #isAddressedSo(when: When): boolean {
    const { request } = this.#seen;
    if (when.certificate !== undefined || when.wire !== undefined) return true;
    return (
      when.virtual === request.virtual &&
      (when['trailing slash'] ?? false) === request.trailingSlash &&
      isOneOf(when.form ?? usualForms[this.#dialect], request.form)
    );
  }

  get #type(): string | undefined {
    const { request, resource } = this.#seen;
    if (request.operation === 'create') return request.type;
    if (request.virtual === undefined) return resource?.type;
    return resource?.type === 'container' ? 'content-instance' : undefined;
  }

  get #creator(): Requester | undefined {
    const { request, resource, sender } = this.#seen;
    return request.operation === 'create' ? sender : resource?.createdBy;
  }

  get #parent(): string | undefined {
    const { request, resource, atBase } = this.#seen;
    if (request.operation === 'create') return atBase ? 'base' : resource?.type;
    return resource === undefined ? undefined : (resource.parent?.type ?? 'base');
  }

  #isTarget(state: 'exists' | 'deleted'): boolean {
    const { request, resource, atBase, before, isUnclear, exchange } = this.#seen;
    const isNew = before === undefined && !isUnclear;
    if (resource === undefined) return state === 'exists' && atBase && isNew;
    if (state === 'deleted') return isGone(resource);
    const isFree = request.operation !== 'create' || isNew;
    return isThere(resource, exchange.at) && isFree;
  }

  /** Other query parameters may change what the answer shows. */
  #hasQuery({ query: names, wire }: When): boolean {
    const { query, operation } = this.#seen.request;
    if (wire !== undefined && names === undefined) return true;
    if (names === 'any') return !query.has('rt');
    if (names === undefined) return query.size === 0 || operation === 'discover';
    return names.length === query.size && names.every((name) => query.has(name));
  }

  #hasRequested({ requested, without }: When): boolean {
    const own = this.#subject.requested;
    if (without?.some((name) => own.has(name)) === true) return false;
    return Object.entries(requested ?? {}).every(([name, pattern]) => isLike(own.get(name), pattern));
  }

  get #isReturned(): boolean {
    const { root, attributes } = viewOf(this.#seen.exchange);
    return attributes !== undefined && typeOfRoot(root, this.#dialect)?.name === this.#type;
  }

  /** The resource itself, or one of its ancestors. */
  #isCreatedIn(form: AddressForm): boolean {
    for (let one = this.#subject.resource; one !== undefined; one = one.parent) if (one.createdIn === form) return true;
    return false;
  }

  #isAsSpecified(sender: When['as specified']): boolean {
    if (sender === undefined) return true;
    return sender === true ? this.#isByCreator : isAsDocumented(this.#seen);
  }

  get #isByCreator(): boolean {
    this.#byCreator ??= this.#dialect === 'onem2m' ? isPermitted(this.#seen) : isAsSpecified(this.#seen);
    return this.#byCreator;
  }
}

/** Forms in the interface specification ("Core behaviours", 4; "Endpoints"); the standard has every form. */
const usualForms = { documented: ['CSE-relative', 'SP-relative', 'root'], onem2m: undefined } as const;

function isOneOf(words: string | readonly string[] | undefined, word: string | undefined): boolean {
  if (words === undefined) return true;
  return word !== undefined && (typeof words === 'string' ? words === word : words.includes(word));
}

/** An unknown value matches nothing. */
function isLike(value: unknown, pattern: string): boolean {
  return value !== undefined && new RegExp(`^(?:${pattern})$`, 'u').test(String(value));
}

function isNobody(sender: Requester | undefined): boolean {
  return sender !== undefined && sender.originator === undefined && sender.certificate === undefined;
}

/** What rows that remember have in common: they look at each exchange, meant or not. */
import type { Resource } from '../../core/resource.ts';
import { isObject, jsonIn } from '../../dialects/body.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../vocabulary/deviation.ts';
import { type Attributes, asked, eachResource, echoOf, isSuccess, labelled, withBody } from '../vocabulary/messages.ts';
import { type arrivalOf, arriving, exchangeOf, type ServedExchange } from './exchange.ts';
import type { Scope } from './scope.ts';
import type { Meant } from './selector.ts';
import { changedBy, valueFor } from './term.ts';

export interface WatchedMeaning {
  readonly before: Meant;
  readonly after: Meant;
  /** Knows what the row remembers, too. */
  readonly arrive: typeof arrivalOf;
}

export type Remembering = (meant: WatchedMeaning, argument: never) => Wrap;

/** Looks at each exchange, and at its answer once more, whether it is meant or not. */
export function watching(
  look: (exchange: ServedExchange, isMeant: boolean) => HttpResponse,
  meant: WatchedMeaning,
): Wrap {
  return arriving(meant.arrive, async (arrival) => {
    const isMeant = meant.before(arrival.scope);
    const exchange = exchangeOf(arrival, await arrival.serve(arrival.request));
    return look(exchange, isMeant && meant.after(exchange.scope));
  });
}

/** Each representation in a successful answer, at any depth, is another one. */
export function showingEach(
  answer: HttpResponse,
  change: (one: Attributes) => Attributes,
  isOff = false,
): HttpResponse {
  const value = isOff || !isSuccess(answer) ? undefined : jsonIn(answer.body);
  return isObject(value) ? withBody(answer, eachResource(value, change)) : answer;
}

/** What is to be said of each resource whose identifier a key is or leads to. */
export type ById = Readonly<Record<string, Attributes>>;

/** What answers say of single resources in place of what the CSE itself says, and by how much their numbers are wrong. */
export class ReportedAttributes {
  readonly #said = new Map<unknown, Attributes>();
  readonly #drift = new Map<unknown, Attributes>();

  say(id: unknown, attributes: Attributes): void {
    this.#said.set(id, { ...this.#said.get(id), ...attributes });
  }

  sayOf(those: ById, scope: Scope): void {
    for (const [id, terms] of idsIn(those, scope)) this.say(id, changedBy(terms, {}, scope));
  }

  /** So much more than until now. */
  drift(those: ById, scope: Scope): void {
    for (const [id, terms] of idsIn(those, scope)) {
      const until = this.#drift.get(id) ?? {};
      const by = (name: string) => Number(valueFor(terms[name], scope) ?? 0) + Number(until[name] ?? 0);
      this.#drift.set(id, { ...until, ...Object.fromEntries(Object.keys(terms).map((name) => [name, by(name)])) });
    }
  }

  in(answer: HttpResponse): HttpResponse {
    const shown = (one: Attributes) =>
      Object.entries(this.#drift.get(one.ri) ?? {}).reduce(added, { ...one, ...this.#said.get(one.ri) });
    return showingEach(answer, shown, this.#said.size + this.#drift.size === 0);
  }
}

function added(one: Attributes, [name, by]: readonly [string, unknown]): Attributes {
  const was = one[name];
  return typeof was === 'number' ? { ...one, [name]: was + Number(by) } : one;
}

function idsIn(those: ById, scope: Scope): readonly (readonly [unknown, Attributes])[] {
  return Object.entries(those).flatMap(([term, said]) => {
    const id = valueFor(term, scope);
    return id === undefined || !isObject(said) ? [] : [[id, said] as const];
  });
}

/** From a meant exchange on, resources are shown otherwise. */
export function telling(
  meant: WatchedMeaning,
  tell: (told: ReportedAttributes, exchange: ServedExchange) => void,
): Wrap {
  return (service, core) => {
    const told = new ReportedAttributes();
    return watching((exchange, isMeant) => {
      if (isMeant) tell(told, exchange);
      return told.in(exchange.answer);
    }, meant)(service, core);
  };
}

/** Answers to who reads what has gone. */
export class StaleAnswers {
  readonly #answers = new Map<string, { readonly stoodAt: string; readonly answer: HttpResponse }>();

  keep(resource: Resource, by: WatchedAddress, answer: HttpResponse): void {
    this.#answers.set(addressOf(resource, by), { stoodAt: `/${resource.path}`, answer });
  }

  /** Of what stood there or below. */
  endAt(path: string): void {
    for (const [address, { stoodAt }] of this.#answers) {
      if (stoodAt === path || stoodAt.startsWith(`${path}/`)) this.#answers.delete(address);
    }
  }

  /** In place of the answer that nothing is there, as one to the same request. */
  answerTo(request: HttpRequest, due: HttpResponse): HttpResponse {
    const { method, path, discovery } = asked(request);
    const kept = method === 'GET' && !discovery && due.status === 404 ? this.#answers.get(path) : undefined;
    return kept === undefined ? due : labelled(kept.answer, echoOf(request));
  }
}

/** By its path, or by its identifier. */
export type WatchedAddress = 'path' | 'identifier';

export const addressOf = ({ path, id }: Resource, by: WatchedAddress) => `/${by === 'path' ? path : id}`;

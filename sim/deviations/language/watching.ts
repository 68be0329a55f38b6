/** Shared parts of operators with memory, which see every exchange, matching or not. */
import type { Resource } from '../../core/resource.ts';
import { isObject, jsonIn } from '../../dialects/body.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../vocabulary/deviation.ts';
import {
  type Attributes,
  eachResource,
  echoOf,
  isSuccess,
  viewOf,
  withBody,
  withHeaders,
} from '../vocabulary/messages.ts';
import { type arrivalOf, arriving, exchangeOf, type ServedExchange } from './exchange.ts';
import type { Scope } from './scope.ts';
import type { ScopeMatcher } from './selector.ts';
import { changedBy, valueFor } from './term.ts';

export interface RowMatcher {
  readonly before: ScopeMatcher;
  readonly after: ScopeMatcher;
  /** With what the row remembers. */
  readonly arrive: typeof arrivalOf;
}

export type MemoryOperator = (matcher: RowMatcher, argument: never) => Wrap;

/** Passes each exchange to `look`, matching or not. */
export function watching(
  look: (exchange: ServedExchange, isMatch: boolean) => HttpResponse,
  matcher: RowMatcher,
): Wrap {
  return arriving(matcher.arrive, async (arrival) => {
    const isMatch = matcher.before(arrival.scope);
    const exchange = exchangeOf(arrival, await arrival.serve(arrival.request));
    return look(exchange, isMatch && matcher.after(exchange.scope));
  });
}

/** Changes each representation in a successful answer, at any depth. */
export function showingEach(
  answer: HttpResponse,
  change: (one: Attributes) => Attributes,
  isOff = false,
): HttpResponse {
  const value = isOff || !isSuccess(answer) ? undefined : jsonIn(answer.body);
  return isObject(value) ? withBody(answer, eachResource(value, change)) : answer;
}

/** Attributes by resource: each key is an identifier, or a path to one. */
export type ById = Readonly<Record<string, Attributes>>;

/** False values of single resources in answers, and offsets of their numbers. */
export class ReportedAttributes {
  readonly #values = new Map<unknown, Attributes>();
  readonly #offsets = new Map<unknown, Attributes>();

  set(id: unknown, attributes: Attributes): void {
    this.#values.set(id, { ...this.#values.get(id), ...attributes });
  }

  setAll(those: ById, scope: Scope): void {
    for (const [id, terms] of idsIn(those, scope)) this.set(id, changedBy(terms, {}, scope));
  }

  /** Adds to the offsets. */
  offset(those: ById, scope: Scope): void {
    for (const [id, terms] of idsIn(those, scope)) {
      const until = this.#offsets.get(id) ?? {};
      const by = (name: string) => Number(valueFor(terms[name], scope) ?? 0) + Number(until[name] ?? 0);
      this.#offsets.set(id, { ...until, ...Object.fromEntries(Object.keys(terms).map((name) => [name, by(name)])) });
    }
  }

  applyTo(answer: HttpResponse): HttpResponse {
    const changed = (one: Attributes) =>
      Object.entries(this.#offsets.get(one.ri) ?? {}).reduce(added, { ...one, ...this.#values.get(one.ri) });
    return showingEach(answer, changed, this.#values.size + this.#offsets.size === 0);
  }
}

function added(one: Attributes, [name, by]: readonly [string, unknown]): Attributes {
  const was = one[name];
  return typeof was === 'number' ? { ...one, [name]: was + Number(by) } : one;
}

function idsIn(those: ById, scope: Scope): readonly (readonly [unknown, Attributes])[] {
  return Object.entries(those).flatMap(([term, terms]) => {
    const id = valueFor(term, scope);
    return id === undefined || !isObject(terms) ? [] : [[id, terms] as const];
  });
}

/** From a matching exchange on, changes representations. */
export function reporting(
  matcher: RowMatcher,
  report: (reported: ReportedAttributes, exchange: ServedExchange) => void,
): Wrap {
  return (service, core) => {
    const reported = new ReportedAttributes();
    return watching((exchange, isMatch) => {
      if (isMatch) report(reported, exchange);
      return reported.applyTo(exchange.answer);
    }, matcher)(service, core);
  };
}

/** Answers to retrieves of removed resources. */
export class StaleAnswers {
  readonly #answers = new Map<string, { readonly resourcePath: string; readonly answer: HttpResponse }>();

  keep(resource: Resource, by: WatchedAddress, answer: HttpResponse): void {
    this.#answers.set(addressOf(resource, by), { resourcePath: `/${resource.path}`, answer });
  }

  /** Ends those of resources at this path or below. */
  endAt(path: string): void {
    for (const [address, { resourcePath }] of this.#answers) {
      if (resourcePath === path || resourcePath.startsWith(`${path}/`)) this.#answers.delete(address);
    }
  }

  /** Replaces a "not found" by a kept answer. */
  answerTo(request: HttpRequest, due: HttpResponse): HttpResponse {
    const { method, path, discovery } = viewOf(request);
    const kept = method === 'GET' && !discovery && due.status === 404 ? this.#answers.get(path) : undefined;
    return kept === undefined ? due : withHeaders(kept.answer, echoOf(request));
  }
}

/** By path or by identifier. */
export type WatchedAddress = 'path' | 'identifier';

export const addressOf = ({ path, id }: Resource, by: WatchedAddress) => `/${by === 'path' ? path : id}`;

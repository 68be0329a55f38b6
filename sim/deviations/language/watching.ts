/** What rows that remember have in common: they look at each exchange, meant or not. */

import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../deviation.ts';
import { handling } from '../vocabulary/blocks.ts';
import { eachResource, isSuccess, jsonIn, withBody } from '../vocabulary/messages.ts';
import { arrivalOf, type Exchange, exchangeOf } from './exchange.ts';
import { type Attributes, isObject } from './scope.ts';
import { type Meant, meantBy, type Selector } from './selector.ts';

export interface Meaning {
  readonly before: Meant;
  readonly after: Meant;
  /** Knows what the row remembers, too. */
  readonly arrive: typeof arrivalOf;
}

/** Of what remembers nothing but what it does. */
export const meaning = (selector: Selector): Meaning => ({ ...meantBy(selector), arrive: arrivalOf });

export type Remembering = (meant: Meaning, argument: never) => Wrap;

/** Looks at each exchange, and at its answer once more, whether it is meant or not. */
export function watching(look: (exchange: Exchange, isMeant: boolean) => HttpResponse, meant: Meaning): Wrap {
  return handling(async (request, service, core) => {
    const arrival = meant.arrive(request, core, (one) => service.handle(one));
    const isMeant = meant.before(arrival.scope);
    const answer = await service.handle(request);
    const exchange = exchangeOf(arrival, answer);
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

/** What answers say of single resources in place of what the CSE itself says. */
export class Told {
  readonly #byId = new Map<unknown, Attributes>();

  say(id: unknown, attributes: Attributes): void {
    this.#byId.set(id, { ...this.#byId.get(id), ...attributes });
  }

  in(answer: HttpResponse): HttpResponse {
    return showingEach(answer, (one) => ({ ...one, ...this.#byId.get(one.ri) }), this.#byId.size === 0);
  }
}

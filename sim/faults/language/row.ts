/** Deviations as data: a row says which exchanges it is about, and what becomes of them. */
import type { RefusedKind } from '../../../certs/pki.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { handling } from '../vocabulary/blocks.ts';
import { noting } from './causes.ts';
import { counting } from './counting.ts';
import { type Arrival, arrivalOf, exchangeOf } from './exchange.ts';
import { type Meanwhile, servedMeanwhile } from './meanwhile.ts';
import { rememberings } from './memory.ts';
import { changedAnswer, changedRequest, type Does, pretended, refusal, requestOperators } from './message-changes.ts';
import { type Notify, notify } from './notifying.ts';
import type { Row } from './schema.ts';
import { at, type Scope } from './scope.ts';
import { type Meant, meantBy, type Selector } from './selector.ts';
import { sendingOf } from './sending.ts';
import { valueFor } from './term.ts';

/** The fault that a row describes. */
export function faultOf(row: Row): Fault {
  const { id, violates = id.slice(0, id.lastIndexOf('.')), also, equivalent, says, when = {}, does } = row;
  const wraps = [
    ...(does ? [wrapOf(row, when, does)] : []),
    ...(speaksOf(row.sends, 'cause', 'original') ? [noting] : []),
  ];
  const sends = row.sends ?? (speaksOf(when, 'replied') ? { does: {} } : undefined);
  return {
    id,
    violates,
    ...(also && { also }),
    ...(equivalent && { equivalent }),
    ...(row.presents && { presents: row.presents as RefusedKind }),
    ...(row['sequences-only'] && { sequencesOnly: true as const }),
    says,
    ...(wraps.length > 0 && { wrap: (service, core) => wraps.reduce((inner, wrap) => wrap(inner, core), service) }),
    ...(sends && { wrapSender: sendingOf(sends) }),
  };
}

/** Whether a part of a row names one of these parts of exchanges. */
function speaksOf(part: unknown, ...names: readonly string[]): boolean {
  return part !== undefined && new RegExp(`["$]\\{?(${names.join('|')})\\b`).test(JSON.stringify(part));
}

function wrapOf(row: Row, when: Selector, does: Does): Wrap {
  const meant = meantBy(when);
  const memories = Object.entries(does).flatMap(([name, argument]) => {
    const remembering = rememberings.get(name);
    return remembering === undefined ? [] : [remembering(meant, argument as never)];
  });
  const isDirect = memories.length < Object.keys(does).length;
  return (service, core) => {
    const inner = isDirect ? directly(row, meant, does)(service, core) : service;
    return memories.reduce((whole, wrap) => wrap(whole, core), inner);
  };
}

/** What is done with one exchange at a time. */
function directly(row: Row, meant: { readonly before: Meant; readonly after: Meant }, does: Does): Wrap {
  return (service, core) => {
    const isOneOf = counting(row.nth);
    const remembered = remembering(row.after);
    return handling(async (request) => {
      const serve = (one: HttpRequest) => service.handle(one);
      const arrival = remembered.told(arrivalOf(request, core, serve));
      const learn = remembered.learning(arrival);
      const isMeant = meant.before(arrival.scope) && (needsAnswer(does) || isOneOf(arrival.scope));
      return learn(isMeant ? await acting(arrival, meant.after, does, isOneOf) : await serve(request));
    })(service, core);
  };
}

/** Whether which of the meant ones it is can only be counted when the answer is there. */
const needsAnswer = (does: Does) =>
  !['refuse', 'pretend', 'answer', ...requestOperators].some((name) => Object.hasOwn(does, name));

async function acting(
  arrival: Arrival,
  after: Meant,
  does: Does,
  isOneOf: (scope: Scope) => boolean,
): Promise<HttpResponse> {
  if (does.refuse !== undefined) return refusal(arrival, Number(does.refuse));
  if (does.pretend !== undefined) return pretended(arrival, Number(does.pretend));
  const { serve } = arrival;
  const changed = changedRequest(does, arrival);
  const answer = await servedMeanwhile((does.meanwhile ?? {}) as Meanwhile, arrival, () => serve(changed));
  const exchange = exchangeOf(arrival, answer);
  if (!after(exchange.scope) || (needsAnswer(does) && !isOneOf(exchange.scope))) return answer;
  if (does.besides !== undefined) await serve(changedRequest(does.besides as Does, exchange));
  if (does.notify !== undefined) notify(exchange, does.notify as Notify);
  if (does.retry === undefined) return changedAnswer(does, exchange);
  const again = await serve(changedRequest(does.retry as Does, exchange));
  return changedAnswer(does, exchangeOf(arrival, again));
}

function remembering(after: Row['after']) {
  const known: unknown[] = [];
  const meant = after && meantBy(after.when);
  return {
    told: (arrival: Arrival): Arrival =>
      after === undefined
        ? arrival
        : { ...arrival, scope: new Map([...arrival.scope, ['remembered', () => [...known]] as const]) },
    learning: (arrival: Arrival) => {
      const isMeant = after !== undefined && meant?.before(arrival.scope) === true;
      const early = isMeant ? valueFor(after.remembers, arrival.scope) : undefined;
      return (answer: HttpResponse): HttpResponse => {
        if (!isMeant) return answer;
        const { scope } = exchangeOf(arrival, answer);
        const value = early ?? valueFor(after.remembers, scope);
        if (at('done', scope) === true && meant?.after(scope) && value !== undefined) known.push(value);
        return answer;
      };
    },
  };
}

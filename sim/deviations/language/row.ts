/** Deviations as data: a row says which exchanges it is about, and what becomes of them. */
import type { RefusedKind } from '../../../certs/pki.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Deviation, Wrap } from '../deviation.ts';
import { handling } from '../vocabulary/blocks.ts';
import { noting } from './causes.ts';
import { counting } from './counting.ts';
import { type Arrival, type Exchange, exchangeOf } from './exchange.ts';
import { going } from './going.ts';
import { becoming, type Meanwhile, servedMeanwhile } from './meanwhile.ts';
import { rememberings } from './memory.ts';
import { changedAnswer, changedRequest, type Does, pretended, refusal, requestOperators } from './message-changes.ts';
import { type Notify, notify } from './notifying.ts';
import { overlooking } from './overlooking.ts';
import { recollectionOf } from './recollection.ts';
import type { Row } from './schema.ts';
import type { Scope } from './scope.ts';
import { canMean, type Meant, meantBy, type Selector } from './selector.ts';
import { sendingOf } from './sending.ts';
import { valueFor } from './term.ts';
import type { Meaning } from './watching.ts';

/** The deviation that a row describes. */
export function deviationOf(row: Row): Deviation {
  const { id, violates = id.slice(0, id.lastIndexOf('.')), also, equivalent, says, when = {}, does } = row;
  const wraps = [
    ...(does || row.goes ? [wrapOf(row, when, does ?? {})] : []),
    ...(speaksOf(row.sends, 'cause', 'original') ? [noting] : []),
  ];
  const sends = row.sends ?? (speaksOf(when, 'replied') ? { does: {} } : undefined);
  return {
    id,
    violates,
    ...(also && { also }),
    ...(equivalent && { equivalent }),
    ...(row.presents && { presents: row.presents as RefusedKind }),
    ...(row.overlooks && { overlooks: overlooking(row.overlooks, row.nth) }),
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
  const selected = meantBy(when);
  const isDirect = Object.keys(does).some((name) => !rememberings.has(name));
  return (service, core) => {
    const count = counting(row.nth);
    const { arrive, remember, learning } = recollectionOf(row, count.last);
    const meant = { ...selected, arrive };
    // Where something is done with single exchanges too, the count is of them.
    const after = (scope: Scope) => selected.after(scope) && count.isOne(scope);
    const remembered = isDirect || row.nth === undefined ? meant : { ...meant, after };
    const memories = Object.entries(does).flatMap(
      ([name, argument]) => rememberings.get(name)?.(remembered, argument as never) ?? [],
    );
    const wraps = [
      ...(isDirect ? [directly(meant, does, { isOneOf: count.isOne, canMean: canMean(when) })] : []),
      ...memories,
      ...(row.goes ? [going(row.goes, remember)] : []),
      learning,
    ];
    return wraps.reduce((whole, wrap) => wrap(whole, core), service);
  };
}

/** Which of those that are meant. */
interface Among {
  readonly isOneOf: (scope: Scope) => boolean;
  readonly canMean: (method: string) => boolean;
}

/** What is done with one exchange at a time. */
function directly({ before, after, arrive }: Meaning, does: Does, { isOneOf, canMean }: Among): Wrap {
  return handling(async (request, service, core) => {
    if (!canMean(request.method)) return service.handle(request);
    const arrival = arrive(request, core, (one) => service.handle(one));
    const isMeant = before(arrival.scope) && (needsAnswer(does) || isOneOf(arrival.scope));
    return isMeant ? acting(arrival, after, does, isOneOf) : service.handle(request);
  });
}

/** Whether which of the meant ones it is can only be counted when the answer is there. */
const needsAnswer = (does: Does) =>
  !['refuse', 'pretend', ...requestOperators].some((name) => Object.hasOwn(does, name));

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
  if (does.besides !== undefined) await doing(does.besides as Does, exchange);
  becoming((does.become ?? {}) as Meanwhile, exchange);
  if (does.notify !== undefined) notify(exchange, does.notify as Notify);
  if (does.retry === undefined) return changedAnswer(does, exchange);
  const again = await serve(changedRequest(does.retry as Does, exchange));
  return changedAnswer(does, exchangeOf(arrival, again));
}

/** Once, or for each `$entry` of a list. */
async function doing({ for: list = [undefined], ...does }: Does, exchange: Exchange): Promise<void> {
  const entries = [valueFor(list, exchange.scope)].flat();
  for (const entry of entries) {
    const scope = exchange.scope.with({ entry: () => entry });
    await exchange.serve(changedRequest(does, { ...exchange, scope }));
  }
}

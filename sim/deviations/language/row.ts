/** Deviations as data: a row selects exchanges, and says how they change. */
import type { DefectName } from '../../../certs/pki.ts';
import type { Resource } from '../../core/resource.ts';
import { isObject } from '../../dialects/body.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap, WrittenDeviation } from '../vocabulary/deviation.ts';
import type { Attributes } from '../vocabulary/messages.ts';
import { changedAnswer, pretended, refusal } from './answer-changes.ts';
import { type Arrival, arriving, exchangeOf, type ServedExchange } from './exchange.ts';
import { memoryOperators } from './memory.ts';
import { coversEvent, recordingCauses } from './outgoing.ts';
import { matches, type Pattern } from './pattern.ts';
import { onRemoval, recollectionOf } from './recollection.ts';
import { changedRequest, type Does, requestOperators } from './request-changes.ts';
import type { DeviationRow } from './schema.ts';
import { nothing, type Scope } from './scope.ts';
import { counting, matchersOf, type Nth, type ScopeMatcher, type Selector } from './selector.ts';
import { sendingOf } from './sending.ts';
import { changedBy, type Term, valueFor } from './term.ts';
import type { RowMatcher } from './watching.ts';

/** The deviation that a row describes. */
export function deviationOf(row: DeviationRow): WrittenDeviation {
  const { id, violates = id.slice(0, id.lastIndexOf('.')), also, equivalent, says, when = {}, does } = row;
  const { 'accepts-certificate': accepted, 'presents-certificate': presented, 'on-removal': removal } = row;
  const wraps = [
    ...(does || removal ? [wrapOf(row, when, does ?? {})] : []),
    ...(mentions(row.outgoing, 'cause', 'original') ? [recordingCauses] : []),
  ];
  const outgoing = row.outgoing ?? (mentions(when, 'reply-rsc') ? { does: {} } : undefined);
  return {
    id,
    violates,
    ...(also && { also }),
    ...(equivalent && { equivalent }),
    ...(presented && { presents: presented as DefectName }),
    ...(accepted && { overlooks: overlooking(accepted, row.nth) }),
    ...(row['sequences-only'] && { sequencesOnly: true as const }),
    says,
    ...(wraps.length > 0 && { wrap: (service, core) => wraps.reduce((inner, wrap) => wrap(inner, core), service) }),
    ...(outgoing && { wrapSender: sendingOf(outgoing) }),
  };
}

/** Whether a part of a row names one of these parts of exchanges. */
function mentions(part: unknown, ...names: readonly string[]): boolean {
  return part !== undefined && new RegExp(`["$]\\{?(${names.join('|')})\\b`).test(JSON.stringify(part));
}

function wrapOf(row: DeviationRow, when: Selector, does: Does): Wrap {
  const selected = matchersOf(when);
  const isDirect = Object.keys(does).some((name) => !memoryOperators.has(name));
  return (service, core) => {
    const count = counting(row.nth);
    const { arrive, remember, learning } = recollectionOf(row, count.last);
    const matcher = { ...selected, arrive };
    // Where single exchanges are changed too, those are counted.
    const after = (scope: Scope) => selected.after(scope) && count.isOne(scope);
    const remembered = isDirect || row.nth === undefined ? matcher : { ...matcher, after };
    const memories = Object.entries(does).flatMap(
      ([name, argument]) => memoryOperators.get(name)?.(remembered, argument as never) ?? [],
    );
    const wraps = [
      ...(isDirect ? [directly(matcher, does, count.isOne)] : []),
      ...memories,
      ...(row['on-removal'] ? [onRemoval(row['on-removal'], remember)] : []),
      ...(learning ? [learning] : []),
    ];
    return wraps.reduce((whole, wrap) => wrap(whole, core), service);
  };
}

/** Operators on one exchange at a time. */
function directly({ before, after, arrive }: RowMatcher, does: Does, isOneOf: ScopeMatcher): Wrap {
  return arriving(arrive, (arrival) => {
    const isMatch = before(arrival.scope) && (needsAnswer(does) || isOneOf(arrival.scope));
    return isMatch ? acting(arrival, after, does, isOneOf) : arrival.serve(arrival.request);
  });
}

/** Whether matches can only be counted once the answer is there. */
const needsAnswer = (does: Does) =>
  !['refuse', 'pretend', ...requestOperators].some((name) => Object.hasOwn(does, name));

async function acting(arrival: Arrival, after: ScopeMatcher, does: Does, isOneOf: ScopeMatcher): Promise<HttpResponse> {
  if (does.refuse !== undefined) return refusal(arrival, Number(does.refuse));
  if (does.pretend !== undefined) return pretended(arrival, Number(does.pretend));
  const { serve } = arrival;
  const changed = changedRequest(does, arrival);
  const answer = await servedTemporarily((does.temporarily ?? {}) as OtherValues, arrival, () => serve(changed));
  const exchange = exchangeOf(arrival, answer);
  if (!after(exchange.scope) || (needsAnswer(does) && !isOneOf(exchange.scope))) return answer;
  if (does['extra-request'] !== undefined) await sendExtra(does['extra-request'] as Does, exchange);
  const { target, parent } = (does.permanently ?? {}) as OtherValues;
  setValues(exchange.target, target, exchange);
  setValues(exchange.target?.parent, parent, exchange);
  if (does.notify !== undefined) notify(exchange, does.notify as Notify);
  if (does.retry === undefined) return changedAnswer(does, exchange);
  const again = await serve(changedRequest(does.retry as Does, exchange));
  return changedAnswer(does, exchangeOf(arrival, again));
}

/** Once, or for each `$entry` of a list. */
async function sendExtra({ for: list = [undefined], ...does }: Does, exchange: ServedExchange): Promise<void> {
  const entries = [valueFor(list, exchange.scope)].flat();
  for (const entry of entries) {
    const scope = exchange.scope.with({ entry: () => entry });
    await exchange.serve(changedRequest(does, { ...exchange, scope }));
  }
}

/** Extra notifications of a row, beside the CSE's own. */
interface Notify {
  /** A list of subscriptions, or one; those of the target unless given. */
  readonly subscriptions?: Term;
  /** Only those that cover this event type, which the notification then has. */
  readonly event?: number;
  /** Only those that match. */
  readonly matching?: Pattern;
  /** The representation in the event. */
  readonly rep?: Term;
  /** The notification in place of an event. */
  readonly notification?: Attributes;
}

/** Notifies the first target of each subscription. Unreachable targets are skipped. */
function notify(
  { core, scope }: ServedExchange,
  { subscriptions: chosen, event, matching, rep, notification: terms }: Notify,
): void {
  const { services, configuration } = core;
  const subscriptions = [valueFor(chosen ?? '$target.subscriptions', scope)].flat().filter(isObject);
  const notification = terms ? changedBy(terms, {}, scope) : { nev: { net: event, rep: valueFor(rep, scope) } };
  for (const one of subscriptions) {
    if (!coversEvent(one, event) || (matching !== undefined && !matches(one, matching, scope))) continue;
    const content = { 'm2m:sgn': { ...notification, sur: `/${configuration.cseId}/${one.ri}` } };
    const [target] = Array.isArray(one.nu) ? one.nu : [];
    services.notifier.forward(String(target), content).catch(() => {});
  }
}

// Client certificates accepted although TLS objects to them.

/** node's codes for OpenSSL's objections. */
const objections: Readonly<Partial<Record<DefectName, readonly string[]>>> = {
  expired: ['CERT_HAS_EXPIRED'],
  'not-yet-valid': ['CERT_NOT_YET_VALID'],
  'other-authority': [
    ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    'SELF_SIGNED_CERT_IN_CHAIN',
  ],
  'self-signed': ['DEPTH_ZERO_SELF_SIGNED_CERT'],
  'server-only': ['INVALID_PURPOSE'],
};

/** Called once for each connection. */
function overlooking(defect: string, nth: Nth | undefined): (objection: string) => boolean {
  const codes = objections[defect as DefectName] ?? [];
  const { isOne } = counting(nth);
  return (objection) => codes.includes(objection) && isOne(nothing);
}

// Resources with other values: while a request is served, or from then on.

/** Temporary values of the target of a request, or its parent. */
type OtherValues = Readonly<Partial<Record<'target' | 'parent', Attributes>>>;

async function servedTemporarily(
  others: OtherValues,
  { target, scope }: Arrival,
  serve: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  const restoring = [replaceValues(target, others.target, scope), replaceValues(target?.parent, others.parent, scope)];
  const answer = await serve();
  for (const restore of restoring) restore();
  return answer;
}

/** Sets other values for good; labels are indexed, too. */
function setValues(
  resource: Resource | undefined,
  terms: Attributes | undefined,
  { scope, core: { tree } }: Arrival,
): void {
  if (resource === undefined || terms === undefined || !tree.holds(resource)) return;
  const { lbl, ...values } = changedBy(terms, { ...resource.values, lbl: resource.labels }, scope);
  resource.values = values as Resource['values'];
  if (Object.hasOwn(terms, 'lbl')) tree.relabel(resource, Array.isArray(lbl) ? lbl.map(String) : undefined);
}

/** Gives a resource other values; returns a function that restores them. */
function replaceValues(resource: Resource | undefined, terms: Attributes = {}, scope: Scope): () => void {
  if (resource === undefined) return () => {};
  const own = resource.values;
  const replaced = changedBy(terms, own, scope);
  resource.values = replaced as Resource['values'];
  return () => {
    const { values } = resource;
    const back = Object.keys(terms).map((name) => [name, remaining(own[name], replaced[name], values[name])] as const);
    resource.values = { ...values, ...Object.fromEntries(back) } as Resource['values'];
  };
}

/** The original value; of a list, without elements removed meanwhile. */
function remaining(own: unknown, replaced: unknown, remainder: unknown): unknown {
  if (!Array.isArray(own) || !Array.isArray(replaced) || !Array.isArray(remainder)) return own;
  return own.filter((one) => !replaced.includes(one) || remainder.includes(one));
}

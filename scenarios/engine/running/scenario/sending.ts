import { isName, keptRequestIn } from '../../../safety/reported-paths.ts';
import { headersOf } from '../../basics/body.ts';
import type { LoadedCheck } from '../../files/load.ts';
import type { Entry } from '../../files/scenario-entries.ts';
import type { SendingStep } from '../../grammar/grammar-step.ts';
import { expectationOf, permittedBy } from '../../grammar/vocabulary.ts';
import { type AnswerObservation, isSuccess, viewOf } from '../../judging/answer.ts';
import type { Block } from '../../judging/check.ts';
import { pathsOfIdentifier } from '../../messages/address.ts';
import { interpolate, interpolateToText, type Names } from '../../messages/interpolate.ts';
import { type AnyRequest, isRaw } from '../../messages/target.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { StepResult } from '../../results/result.ts';
import type { Installation, MemberName, OriginatorRegistration } from '../../targets/installation.ts';
import { creationAt, type TargetChange } from './ledger.ts';
import { memberOfRegistration } from './registrations.ts';
import type { RequestSender } from './request-sender.ts';

/** Milliseconds to watch a connection that is to be closed, and one that is to stay open. */
const watch = { closed: 1500, open: 250 };

/** Sends a request, and watches the connection of a raw one as long as the checks ask for. */
export async function exchangeOf(
  request: AnyRequest,
  { target, way, ordinary }: RequestSender,
  checks: readonly LoadedCheck[],
): Promise<Exchange> {
  const exchange = await target.send(request, isRaw(request) ? { ...way, watchConnection: watchTime(checks) } : way);
  const { failure } = exchange;
  // The target spoke TLS with this client when the run began: an ordinary request that fails in it shows no behaviour.
  if (!ordinary || failure?.kind !== 'tls') return exchange;
  return { ...exchange, failure: { ...failure, kind: 'unreachable' } };
}

function watchTime(checks: readonly LoadedCheck[]): number {
  const expected = checks.flatMap(({ check }) => permittedBy(check).map((one) => one.connection));
  if (expected.includes('closed')) return watch.closed;
  return expected.includes('open') ? watch.open : 0;
}

/** What a step may create or remove, for the ledger. */
export function changeOf(step: SendingStep, names: Names): TargetChange | undefined {
  if ('create' in step) {
    const name = interpolate(step.attributes?.rn, names);
    return { in: interpolateToText(step.in, names), ...(isName(name) && { name }) };
  }
  if ('delete' in step) return { removes: interpolateToText(step.delete, names) };
  if (!('raw' in step) || step.creates === undefined) return undefined;
  return creationAt(interpolateToText(step.creates, names));
}

/** Target not reachable, subscription verification initiation failed, remote entity not reachable (TS-0004 6.6.3.6). */
const unreachableReceiver = [5103, 5107, 5204];

/** Whether a target says that it could not send to somebody: in the answer, or in that of a member (m2m:agr). */
export function missesReceiver(exchange: Exchange): boolean {
  const { rsc } = viewOf(exchange);
  const inside = /"rsc"\s*:\s*(\d+)/g;
  if (rsc !== undefined && unreachableReceiver.includes(rsc)) return true;
  for (const [, code] of (exchange.answer?.body ?? '').matchAll(inside)) {
    if (unreachableReceiver.includes(Number(code))) return true;
  }
  return false;
}

/** A registration with an originator that only one can have. */
export interface SharedRegistration extends OriginatorRegistration {
  /** Whether it was to succeed. */
  readonly expected: boolean;
}

/** What a step registers with an originator that only one can have; undefined for any other step. */
export function sharedRegistration(
  step: SendingStep,
  sender: RequestSender,
  request: AnyRequest,
): SharedRegistration | undefined {
  const on = sender.shared ? memberOfRegistration(step) : undefined;
  const sent = 'headers' in request ? headersOf(request).get('x-m2m-origin') : undefined;
  if (on === undefined || sender.originator === undefined || sent !== sender.originator) return undefined;
  const { originator, way } = sender;
  return { on, originator, way, expected: expectationOf(step) === 'success' };
}

/** An answer that refuses a registration. */
export interface RefusedRegistration extends SharedRegistration {
  /** Whether it says that something, or somebody, is there already: conflict, and originator has already registered (TS-0004 6.6.3.5). */
  readonly conflict: boolean;
  /** Why the answer then says nothing of the target: whoever is registered already keeps everybody else out. */
  readonly inUse?: string;
}

export function refusalOf(registration: SharedRegistration, exchange: Exchange): RefusedRegistration | undefined {
  const status = exchange.answer?.status ?? 0;
  const { rsc } = viewOf(exchange);
  const conflict = status === 409 || rsc === 4105 || rsc === 4117;
  const { originator, expected } = registration;
  if (status < 400 || !(conflict || expected)) return undefined;
  const inUse = `${status}: an application entity may be registered as ${originator} already; the run needs that originator for itself`;
  return { ...registration, conflict, ...(conflict && expected && { inUse }) };
}

/** What an exchange has changed, as far as that is the run's to remove again. */
export function changesBy(change: TargetChange | undefined, exchange: Exchange, label: string): TargetChange[] {
  const uri = keptRequestIn(exchange);
  const [path = ''] = uri === undefined ? [] : pathsOfIdentifier(uri);
  const keptRequest: TargetChange | undefined = uri === undefined ? undefined : { in: path, at: path };
  return [change, change && renamed(change, exchange, label), keptRequest].filter((one) => one !== undefined);
}

/** What a target has created under another name than the one asked for, where that is a name of the run as well. */
function renamed(change: TargetChange, exchange: Exchange, label: string): TargetChange | undefined {
  const { rn } = isSuccess(exchange) ? (viewOf(exchange).attributes ?? {}) : {};
  if ('removes' in change || change.name === undefined || !isName(rn) || rn.includes('/')) return undefined;
  return rn !== change.name && rn.includes(label) ? { in: change.in, name: rn } : undefined;
}

/** The request of a step, with what there is to be known of it before it is sent. */
export interface PreparedRequest {
  readonly leftOut?: string | undefined;
  readonly sender: RequestSender;
  readonly request: AnyRequest;
  readonly registration: SharedRegistration | undefined;
  /** Why nothing can be registered at a CSE with an originator that only one can have. */
  readonly inUse?: ReadonlyMap<MemberName, string> | undefined;
}

/** Why the request of a step must not, or cannot, be sent to the target, or need not; undefined for any that is sent. */
export async function whyUnsent({
  leftOut,
  sender,
  request,
  registration,
  inUse,
}: PreparedRequest): Promise<Block | undefined> {
  const { target, way } = sender;
  const risk = leftOut ?? target.leftOut?.(request);
  if (risk !== undefined) return { reason: risk, kind: 'left out' };
  const objection = await target.objection(request, way);
  if (objection !== undefined) return { reason: objection, kind: 'excused' };
  const occupied = registration && inUse?.get(registration.on);
  return occupied === undefined ? undefined : { reason: occupied, kind: 'blocked', final: true };
}

// What an answer that is not as it was to be may come from, beside the target.

/** Where a target refuses the expiration time that was added, and nothing else of the request, it is told none any more. */
export async function withoutExpiration(
  first: Exchange,
  bare: () => AnyRequest,
  { step, checks }: Entry<SendingStep>,
  { sender, lifetime }: { readonly sender: RequestSender } & Pick<Installation, 'lifetime'>,
): Promise<Exchange> {
  const { refused } = lifetime ?? {};
  const status = first.answer?.status ?? 0;
  if (refused === undefined || !mayBeOfExpiration(status) || expectationOf(step) !== 'success') return first;
  if (refused.anyway.has(status)) return first;
  const request = bare();
  if ((await sender.target.objection(request, sender.way)) !== undefined) return first;
  const second = await exchangeOf(request, sender, checks);
  if (isSuccess(second)) {
    refused.isConfirmed = true;
    return second;
  }
  // Bad requests are of many kinds.
  if (status !== 400) refused.anyway.add(status);
  return first;
}

/** The interface specification shows no status of a refusal ("Errors"); 429 says that nothing is to be sent for a while. */
function mayBeOfExpiration(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether a step did not go as it was to go, or a check of it failed. */
export function fallsShort({ step }: Entry, { checks }: StepResult, { success }: AnswerObservation): boolean {
  return checks.some(({ state }) => state === 'failed') || (expectationOf(step) === 'success' && !success);
}

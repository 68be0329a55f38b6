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

/** Milliseconds to watch a connection that should be closed, and one that should stay open. */
const watch = { closed: 1500, open: 250 };

/** Sends a request, and watches the connection of a raw one as long as the checks need. */
export async function exchangeOf(
  request: AnyRequest,
  { target, way, ordinary }: RequestSender,
  checks: readonly LoadedCheck[],
): Promise<Exchange> {
  const exchange = await target.send(request, isRaw(request) ? { ...way, watchConnection: watchTime(checks) } : way);
  const { failure } = exchange;
  // TLS with this client worked when the run began: its failure in an ordinary request shows no behaviour.
  if (!ordinary || failure?.kind !== 'tls') return exchange;
  return { ...exchange, failure: { ...failure, kind: 'unreachable' } };
}

function watchTime(checks: readonly LoadedCheck[]): number {
  const expected = checks.flatMap(({ check }) => permittedBy(check).map((one) => one.connection));
  if (expected.includes('closed')) return watch.closed;
  return expected.includes('open') ? watch.open : 0;
}

/** What a step may create or delete, for the ledger. */
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

/** Whether a target reports an unreachable receiver: in the answer, or in that of a member (m2m:agr). */
export function missesReceiver(exchange: Exchange): boolean {
  const { rsc } = viewOf(exchange);
  const inside = /"rsc"\s*:\s*(\d+)/g;
  const codes = [...(exchange.answer?.body ?? '').matchAll(inside)].map(([, code]) => Number(code));
  return [rsc ?? 0, ...codes].some((code) => unreachableReceiver.includes(code));
}

/** A registration with an originator that only one AE can have. */
export interface SharedRegistration extends OriginatorRegistration {
  /** Whether it should succeed. */
  readonly expected: boolean;
}

/** The registration of a step with a shared originator; undefined for any other step. */
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
  /** Whether the reason is an existing resource or AE: conflict, and originator has already registered (TS-0004 6.6.3.5). */
  readonly conflict: boolean;
  /** Why the answer shows nothing about the target: another AE is registered already. */
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

/** The changes of an exchange that the run has to undo. */
export function changesBy(change: TargetChange | undefined, exchange: Exchange, label: string): TargetChange[] {
  const uri = keptRequestIn(exchange);
  const [path = ''] = uri === undefined ? [] : pathsOfIdentifier(uri);
  const keptRequest: TargetChange | undefined = uri === undefined ? undefined : { in: path, at: path };
  return [change, change && renamed(change, exchange, label), keptRequest].filter((one) => one !== undefined);
}

/** A resource created under another name than requested, if that is a name of the run as well. */
function renamed(change: TargetChange, exchange: Exchange, label: string): TargetChange | undefined {
  const { rn } = isSuccess(exchange) ? (viewOf(exchange).attributes ?? {}) : {};
  if ('removes' in change || change.name === undefined || !isName(rn) || rn.includes('/')) return undefined;
  return rn !== change.name && rn.includes(label) ? { in: change.in, name: rn } : undefined;
}

/** The request of a step, with what is known before it is sent. */
export interface PreparedRequest {
  readonly leftOut?: string | undefined;
  readonly sender: RequestSender;
  readonly request: AnyRequest;
  readonly registration: SharedRegistration | undefined;
  /** Why no AE can register at a CSE with a shared originator. */
  readonly inUse?: ReadonlyMap<MemberName, string> | undefined;
}

/** Why the request of a step must not, cannot or need not be sent; undefined for one that is sent. */
export async function whyUnsent(prepared: PreparedRequest): Promise<Block | undefined> {
  const { leftOut, sender, request, registration, inUse } = prepared;
  const { target, way } = sender;
  const risk = leftOut ?? target.leftOut?.(request);
  if (risk !== undefined) return { reason: risk, kind: 'left out' };
  const objection = await target.objection(request, way);
  if (objection !== undefined) return { reason: objection, kind: 'excused' };
  const occupied = registration && inUse?.get(registration.on);
  return occupied === undefined ? undefined : { reason: occupied, kind: 'blocked', final: true };
}

// Causes of unexpected answers beside the target.

/** Repeats a refused request without the added expiration time; if that alone was the reason, none is sent any more. */
export async function withoutExpiration(
  first: Exchange,
  bare: () => AnyRequest,
  { step, checks }: Entry<SendingStep>,
  { sender, lifetime }: { readonly sender: RequestSender } & Pick<Installation, 'lifetime'>,
): Promise<Exchange> {
  const { refused } = lifetime ?? {};
  const status = first.answer?.status ?? 0;
  if (refused === undefined || !mayRefuseExpiration(status) || expectationOf(step) !== 'success') return first;
  if (refused.anyway.has(status)) return first;
  const request = bare();
  if ((await sender.target.objection(request, sender.way)) !== undefined) return first;
  const second = await exchangeOf(request, sender, checks);
  if (isSuccess(second)) {
    refused.certain = true;
    return second;
  }
  // Bad requests have many causes.
  if (status !== 400) refused.anyway.add(status);
  return first;
}

/** The interface specification has no status for this refusal ("Errors"); 429 asks for a pause. */
function mayRefuseExpiration(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether a step did not succeed as expected, or one of its checks failed. */
export function fallsShort({ step }: Entry, { checks }: StepResult, { success }: AnswerObservation): boolean {
  return checks.some(({ state }) => state === 'failed') || (expectationOf(step) === 'success' && !success);
}

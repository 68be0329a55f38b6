import { escapedPath } from '../engine/messages/encode.ts';
import { type AnyRequest, isExactBytes, type Target, type Turn, type Way } from '../engine/messages/target.ts';
import type { Site } from '../engine/targets/installation.ts';
import { type Claim, Holdings } from './holdings.ts';
import type { Proves } from './proof.ts';
import { Recorder } from './recorder.ts';
import { linesOf, type RequestLine } from './request-lines.ts';
import type { Risks } from './risks.ts';
import { Rules } from './rules.ts';

/** What a run may do to a target, and what it takes down of that. */
export interface Safety {
  readonly rules: Rules;
  readonly recorder: Recorder;
  /** Finds out by a read whether what only the target says is true; absent: nothing of that is believed. */
  readonly proves?: Proves;
  /** What is left out, since it is known to damage a deployed CSE; nothing when absent. */
  readonly risks?: Risks | undefined;
  /** Bytes of the longest body that the target takes. */
  readonly bodyLimit?: number | undefined;
}

/**
 * A target to which nothing is sent that could change, or create below, what the run has not created, whoever asks for it.
 * Its `objection` says why; to send such a request nevertheless is a mistake of the engine, and throws.
 */
export function guarded(target: Target, on: Site, { rules, recorder, proves, risks, bodyLimit }: Safety): Target {
  const { description } = target;
  const prefix = new URL(description.url).pathname.replace(/\/+$/, '');
  const bare = ({ method, target: path }: RequestLine) => ({ method, target: withoutPrefix(path, prefix) });
  const linesTo = (request: AnyRequest): readonly RequestLine[] | 'unreadable' => {
    const lines = linesOf(request);
    if (lines === 'unreadable') return lines;
    // Exact bytes have the whole path.
    return lines.map((line, at) => (at === 0 && !isExactBytes(request) ? line : bare(line)));
  };
  const findObjection = (request: AnyRequest): string | undefined => {
    const lines = linesTo(request);
    if (lines === 'unreadable') return 'not sent: these bytes could be a request that changes something';
    const named = isExactBytes(request) ? undefined : recorder.objectionToName(request, on);
    const [first = objectionToLength(request, bodyLimit) ?? named] = lines.flatMap((line) => {
      const exact = isExactBytes(request) && line.method === 'POST' ? recorder.objectionToBytes(line, on) : undefined;
      return rules.objection(line, description) ?? exact ?? [];
    });
    return first === undefined ? undefined : `not sent: ${first}`;
  };
  // Who sends a request has mostly asked just before whether there is an objection.
  const found = new WeakMap<object, { readonly said: string | undefined; readonly changes: number }>();
  const objectionTo = (request: AnyRequest): string | undefined => {
    const { changes } = recorder;
    const before = found.get(request);
    if (before?.changes === changes) return before.said;
    const said = findObjection(request);
    found.set(request, { said, changes });
    return said;
  };
  /** What rests on the word of the target alone is looked at first. */
  const objectionOnceRead = async (request: AnyRequest, claims: readonly Claim[], way: Way) => {
    for (const claim of new Set(claims)) await proves?.(claim, target, way);
    return objectionTo(request);
  };
  const leftOut = (request: AnyRequest) =>
    risks?.reason(request, (path) =>
      rules.isRemoved(isExactBytes(request) ? withoutPrefix(path, prefix) : path, description),
    );
  const objection = (request: AnyRequest, way: Way = {}) => {
    const risk = leftOut(request);
    if (risk !== undefined) return `left out: ${risk}`;
    const said = target.objection(request, way) ?? objectionTo(request);
    const lines = said === undefined || proves === undefined ? [] : linesTo(request);
    const claims = lines === 'unreadable' ? [] : lines.flatMap((line) => rules.claimsIn(line, description));
    return claims.length === 0 ? said : objectionOnceRead(request, claims, way);
  };
  const send: Target['send'] = async (request, way) => {
    const refusal = await objection(request, way);
    if (refusal !== undefined) throw new Error(refusal);
    if (isExactBytes(request)) return target.send(request, way);
    const change = recorder.before({ ...request, path: escapedPath(request.path) }, on, way);
    const exchange = await target.send(request, way);
    change(exchange);
    return exchange;
  };
  const { converse } = target;
  const conversing =
    converse &&
    (async (turns: readonly Turn[], way?: Way) => {
      const whole = { bytes: Buffer.concat(turns.map(({ bytes }) => bytes)) };
      const objections = await Promise.all([whole, ...turns].map((one) => objection(one, way)));
      const refusal = objections.find((one) => one !== undefined);
      if (refusal !== undefined) throw new Error(refusal);
      return converse(turns, way);
    });
  return { ...target, objection, leftOut, send, ...(conversing && { converse: conversing }) };
}

function withoutPrefix(path: string, prefix: string): string {
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Why a request must not be sent to a target that takes bodies of so many bytes, as the end of the sentence "not sent: …". */
export function objectionToLength(request: AnyRequest, limit: number | undefined): string | undefined {
  if (limit === undefined) return undefined;
  const length = isExactBytes(request) ? bodyIn(request.bytes) : (request.body?.length ?? 0);
  if (length <= limit) return undefined;
  return `its body has ${length} bytes, and the longest body that the target takes has ${limit} (limits.body of its target file)`;
}

/** Bytes behind the first empty line; all of them where there is none. */
function bodyIn(bytes: Uint8Array): number {
  const end = /\r\n\r\n|\n\n/.exec(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
  return end === null ? bytes.length : bytes.length - end.index - end[0].length;
}

/** A target to which nothing but reads is sent, and none of what is not to be touched. */
export function onlyRead(target: Target, handsOff: readonly string[] = []): Target {
  const holdings = new Holdings('', { gateway: target.description });
  const rules = new Rules({ holdings, handsOff, readOnly: true });
  return guarded(target, 'gateway', { rules, recorder: new Recorder({ holdings, rules }) });
}

import { type AnyRequest, isExactBytes, isRead, type Target, type Way } from '../engine/messages/target.ts';
import { numberedSpeech } from '../engine/messages/usual-headers.ts';
import { escapedPath } from '../engine/messages/wire.ts';
import { type MemberName, wayFor, withTargets } from '../engine/targets/installation.ts';
import type { Parties } from '../engine/targets/reach-url.ts';
import { Holdings, type Ownership } from './holdings.ts';
import type { ReadLedger } from './ledger-file.ts';
import { labelOfRun, type RunLine } from './ledger-line.ts';
import { type Proves, provingBy } from './proof.ts';
import { LedgerRecorder, type RecorderOptions } from './recorder.ts';
import { hostsIn, linesOf, type RequestLine } from './request-lines.ts';
import type { Risks } from './risks.ts';
import { mayNameMembers, Rules, type RulesOptions } from './rules.ts';
import type { SweepOptions } from './sweep.ts';

/** What a run may do to a target, and what it records of that. */
export interface Safety {
  readonly rules: Rules;
  readonly recorder: LedgerRecorder;
  /** Verifies by a read what only the target says; absent: nothing of that is believed. */
  readonly proves?: Proves;
  /** Requests left out, since they are known to damage a deployed CSE; none when absent. */
  readonly risks?: Risks | undefined;
  /** Bytes of the longest body that the target accepts. */
  readonly bodyLimit?: number | undefined;
}

/**
 * A target to which nothing is sent that could change, or create below, what the run has not created.
 * Its `objection` says why; sending such a request nevertheless is an error of the engine, and throws.
 */
export function guarded(target: Target, on: MemberName, safety: Safety): Target {
  const guard = new Guard(target, on, safety);
  const { converse } = target;
  return {
    ...target,
    leftOut: (request) => guard.leftOut(request),
    objection: (request, way) => guard.objection(request, way),
    send: (request, way) => guard.send(request, way),
    ...(converse && {
      converse: async (turns, way) => {
        await guard.refuseAny([{ bytes: Buffer.concat(turns.map(({ bytes }) => bytes)) }, ...turns], way);
        return converse(turns, way);
      },
    }),
  };
}

class Guard {
  readonly #target: Target;
  readonly #on: MemberName;
  readonly #safety: Safety;
  readonly #prefix: string;
  /** A sender mostly requests objections just before. */
  readonly #objections = new WeakMap<object, { readonly objection: string | undefined; readonly changes: number }>();

  constructor(target: Target, on: MemberName, safety: Safety) {
    this.#target = target;
    this.#on = on;
    this.#safety = safety;
    this.#prefix = new URL(target.description.url).pathname.replace(/\/+$/, '');
  }

  leftOut(request: AnyRequest): string | undefined {
    const { rules, risks } = this.#safety;
    const bare = (path: string) => (isExactBytes(request) ? withoutPrefix(path, this.#prefix) : path);
    return risks?.reason(request, (path) => rules.isRemoved(bare(path), this.#target.description));
  }

  objection(request: AnyRequest, way: Way = {}): string | undefined | Promise<string | undefined> {
    const { rules, proves } = this.#safety;
    const risk = this.leftOut(request);
    if (risk !== undefined) return `left out: ${risk}`;
    const objection = this.#target.objection(request, way) ?? this.#objectionTo(request);
    const lines = objection === undefined || proves === undefined ? [] : this.#linesTo(request);
    const claims =
      lines === 'unreadable' ? [] : lines.flatMap((line) => rules.claimsIn(line, this.#target.description));
    return claims.length === 0 ? objection : this.#objectionOnceRead(request, claims, way);
  }

  async send(...[request, way]: Parameters<Target['send']>): ReturnType<Target['send']> {
    await this.refuseAny([request], way);
    if (isExactBytes(request)) return this.#target.send(request, way);
    const change = this.#safety.recorder.before({ ...request, path: escapedPath(request.path) }, this.#on, way);
    const exchange = await this.#target.send(request, way);
    change(exchange);
    return exchange;
  }

  /** Throws the first objection to any of these. */
  async refuseAny(requests: readonly AnyRequest[], way?: Way): Promise<void> {
    const objections = await Promise.all(requests.map((one) => this.objection(one, way)));
    const refusal = objections.find((one) => one !== undefined);
    if (refusal !== undefined) throw new Error(refusal);
  }

  /** What only the target says is read first. */
  async #objectionOnceRead(request: AnyRequest, claims: readonly Ownership[], way: Way): Promise<string | undefined> {
    for (const claim of new Set(claims)) await this.#safety.proves?.(claim, this.#target, way);
    return this.#objectionTo(request);
  }

  #objectionTo(request: AnyRequest): string | undefined {
    const { changes } = this.#safety.recorder;
    const before = this.#objections.get(request);
    if (before?.changes === changes) return before.objection;
    const objection = this.#findObjection(request);
    this.#objections.set(request, { objection, changes });
    return objection;
  }

  #findObjection(request: AnyRequest): string | undefined {
    const { rules, recorder, bodyLimit } = this.#safety;
    const lines = this.#linesTo(request);
    if (lines === 'unreadable') return 'not sent: these bytes could be a request that changes something';
    const exact = isExactBytes(request);
    const changes = !lines.every(({ method }) => isRead(method));
    const another = changes ? hostsIn(request).find((one) => one !== '' && !this.#isHost(one)) : undefined;
    if (another !== undefined) return `not sent: at the host ${another} another CSE may stand`;
    if (exact && changes && mayNameMembers(request))
      return 'not sent: nobody could tell which members these bytes give to a group';
    const named = exact ? undefined : recorder.objectionToName(request, this.#on);
    const [first = objectionToLength(request, bodyLimit) ?? named] = lines.flatMap((line) => {
      const objection = exact && line.method === 'POST' ? recorder.objectionToBytes(line, this.#on) : undefined;
      return rules.objection(line, this.#target.description) ?? objection ?? [];
    });
    return first === undefined ? undefined : `not sent: ${first}`;
  }

  #isHost(host: string): boolean {
    const { host: own, hostname } = new URL(this.#target.description.url);
    return [own, hostname].includes(host.toLowerCase());
  }

  #linesTo(request: AnyRequest): readonly RequestLine[] | 'unreadable' {
    const lines = linesOf(request);
    if (lines === 'unreadable') return lines;
    // Exact bytes contain the whole path.
    return lines.map(({ method, target: path }, at) => ({
      method,
      target: at === 0 && !isExactBytes(request) ? path : withoutPrefix(path, this.#prefix),
    }));
  }
}

function withoutPrefix(path: string, prefix: string): string {
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Why a body is too long for a target that accepts so many bytes, as the end of the sentence "not sent: …". */
export function objectionToLength(request: AnyRequest, limit: number | undefined): string | undefined {
  if (limit === undefined) return undefined;
  const length = isExactBytes(request) ? bodyIn(request.bytes) : (request.body?.length ?? 0);
  if (length <= limit) return undefined;
  return `its body has ${length} bytes, and the longest body that the target takes has ${limit} (limits.body of its target file)`;
}

/** Bytes behind the first empty line; all of them without one. */
function bodyIn(bytes: Uint8Array): number {
  const end = /\r\n\r\n|\n\n/.exec(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
  return end === null ? bytes.length : bytes.length - end.index - end[0].length;
}

/** A target that gets nothing but reads, and none of `handsOff`. */
export function onlyRead(target: Target, handsOff: readonly string[] = []): Target {
  const holdings = new Holdings('', { gateway: target.description });
  const rules = new Rules({ holdings, handsOff, readOnly: true });
  return guarded(target, 'gateway', { rules, recorder: new LedgerRecorder({ holdings, rules }) });
}

/** What the run of a ledger created and did not remove, as far as recorded. A file proves nothing: what was read is read again. */
export function holdingsOf({ head, changes }: ReadLedger): Holdings {
  const { run, gateway, backend } = head;
  const holdings = new Holdings(run, { gateway, ...(backend && { backend }) });
  for (const line of changes) {
    const { kind } = line;
    holdings.record(kind === 'proved' ? { kind: 'created', number: line.number, paths: [line.path] } : line);
  }
  return holdings;
}

interface GuardOptions extends Omit<RulesOptions, 'holdings'>, Pick<RecorderOptions, 'keep'> {
  /** Prefix of its request numbers. */
  readonly letter: string;
  readonly risks?: Risks;
  readonly bodyLimit?: number | undefined;
}

/**
 * Guards the CSEs of a run, and says how to remove what it created: as whoever created it, and nothing but what is certainly of
 * that run.
 */
export function guardRun(
  { run, startedAt }: Pick<RunLine, 'run' | 'startedAt'>,
  holdings: Holdings,
  parties: Parties,
  { letter, keep, risks, bodyLimit, ...rest }: GuardOptions,
): { readonly recorder: LedgerRecorder; readonly sweepOptions: SweepOptions } {
  const { usualCertificate, certificates, dialect, release, admin, originator } = parties;
  const rules = new Rules({ ...rest, holdings });
  const recorder = new LedgerRecorder({ holdings, rules, ...(keep && { keep }) });
  const speech = numberedSpeech({ dialect, release }, `${labelOfRun(run)}${letter}`);
  const proves = provingBy({ holdings, rules, recorder, speech, admin });
  const safety = { rules, recorder, proves, risks, bodyLimit };
  const { gateway, backend } = withTargets(parties, (target, on) => guarded(target, on, safety));
  const wayOf: SweepOptions['wayOf'] = (name) => wayFor(name ?? usualCertificate, certificates);
  const targets = { gateway, ...(backend && { backend }) };
  return { recorder, sweepOptions: { run, startedAt, holdings, targets, speech, admin, originator, wayOf } };
}

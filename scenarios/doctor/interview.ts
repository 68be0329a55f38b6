/** Compares what a CSE reports of itself with the configuration, by reads only. */

import { headerOf } from '../engine/basics/body.ts';
import { serializationOf } from '../engine/messages/serialization.ts';
import { now, type Target } from '../engine/messages/target.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import { ConnectionSlots } from '../engine/targets/exchanging/load-limits.ts';
import { perhapsAnother, targetAt } from '../engine/targets/reach-url.ts';
import { certificateFor, type PreparedUrl, prepareUrl } from '../engine/targets/url-choice.ts';
import { noCbor } from '../engine/targets/wires/routed-target.ts';
import { type Asker, askerOf, onlyOriginator, type ProbeAnswer, releases } from '../probe/asker.ts';
import { type Base, type BaseOptions, findBase, missing, type Search, usualOriginators } from '../probe/find-base.ts';
import { quoted } from '../probe/finding.ts';
import { findSecurity } from '../probe/wording.ts';
import { onlyRead } from '../safety/guard.ts';
import { baseRemark, clockRemarks, dialectRemark, identityRemarks, rateRemarks, releaseRemarks } from './comparison.ts';
import { clientRemark, speaksTls } from './connectivity.ts';
import { elsewhere, right, type SetupRemark, setting, unknown, wrong } from './remark.ts';

export interface Interview {
  readonly remarks: readonly SetupRemark[];
  readonly base?: Base;
  /** Whether nothing answered, so that the remarks are guesses. */
  readonly silent: boolean;
  readonly requests: number;
}

export interface InterviewLimits {
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Requests at most, and milliseconds between them. */
const most = 24;
const gap = 100;
/** Milliseconds to see whether the target closes the connection after its answer. */
const closeWatch = 100;

export async function interview(prepared: PreparedUrl, limits: InterviewLimits): Promise<Interview> {
  const { choice } = prepared;
  const { timeout, signal } = limits;
  const exchanges: Exchange[] = [];
  const polite = { slots: new ConnectionSlots(1), ...prepared.loadLimits, connections: 1, keepAlive: false };
  const target = targetAt(prepared, { ...polite, timeout, startedAt: now() });
  const reader = recordingTarget(onlyRead(target, choice.handsOff), exchanges);
  const asker = askerOf(reader, prepared, { gap, most, originator: undefined, signal });
  try {
    const search = await findBase(asker, searchOptions(prepared));
    if (search.kind === 'base') {
      const remarks = [...(await compareAll(asker, search.base, prepared)), ...rateRemarks(exchanges)];
      return { remarks, requests: asker.requests, silent: false, base: search.base };
    }
    const plain = signal?.aborted ? undefined : await inJson(prepared, limits);
    const requests = asker.requests + (plain?.requests ?? 0);
    if (plain?.base !== undefined) return { remarks: [onlyJson(search.answer)], requests, silent: false };
    const remarks = [await lacking(search, prepared, limits), ...rateRemarks(exchanges)];
    return { remarks, requests, silent: search.kind === 'silent' };
  } finally {
    await reader.close();
  }
}

function searchOptions(prepared: PreparedUrl): BaseOptions {
  const { choice, description } = prepared;
  const only = onlyOriginator(prepared);
  const originators = only === undefined ? [...(choice.admin ? [choice.admin] : []), ...usualOriginators] : [only];
  return { first: description.base, originators, watch: closeWatch, releases: releases.toReversed() };
}

/** Repeats in JSON what was asked in CBOR, on separate connections. */
async function inJson({ choice }: PreparedUrl, limits: InterviewLimits): Promise<Interview | undefined> {
  const { serialization, ...others } = choice;
  if (serialization !== 'cbor') return undefined;
  const prepared = await prepareUrl(others);
  try {
    return await interview(prepared, limits);
  } finally {
    await prepared.route?.close();
  }
}

/** Asks with Accept, since an answer without it shows nothing. */
async function serializationRemarks(asker: Asker, { path }: Base, prepared: PreparedUrl): Promise<SetupRemark[]> {
  if (prepared.description.serialization !== 'cbor') return [];
  const answer = await asker.ask({ path, headers: { Accept: 'application/json' } });
  const answered = serializationOf(headerOf(answer.exchange.answer?.headers ?? [], 'content-type'));
  return [answer.success && answered === 'cbor' ? right('serialization', 'it answers in CBOR') : onlyJson(answer)];
}

function onlyJson({ evidence }: ProbeAnswer): SetupRemark {
  return wrong('serialization', `${noCbor}: ${evidence}`, setting('--serialization json', 'serialization', 'json'));
}

function recordingTarget(target: Target, exchanges: Exchange[]): Target {
  return {
    ...target,
    close: () => target.close(),
    send: async (...message) => {
      const exchange = await target.send(...message);
      exchanges.push(exchange);
      return exchange;
    },
  };
}

async function compareAll(asker: Asker, base: Base, prepared: PreparedUrl): Promise<SetupRemark[]> {
  const received = Date.now();
  return [
    baseRemark(base, prepared),
    dialectRemark(base, prepared),
    ...(await serializationRemarks(asker, base, prepared)),
    ...identityRemarks(base, prepared),
    ...releaseRemarks(asker.release, base, prepared),
    ...(await rightsRemarks(asker, base, prepared)),
    ...(await certificateRemarks(asker, base, prepared)),
    ...clockRemarks(base, received),
    ...(await leftRemarks(asker, base)),
  ];
}

async function lacking(
  search: Exclude<Search, { kind: 'base' }>,
  prepared: PreparedUrl,
  { timeout }: InterviewLimits,
): Promise<SetupRemark> {
  const { url } = prepared.description;
  const { says } = missing(search, false, prepared);
  if (url.startsWith('http:') && (await speaksTls(prepared, timeout))) {
    const over = url.replace(/^http:/, 'https:');
    return wrong('TLS', 'it speaks HTTPS, and the URL says http', setting(`--url ${over}`, 'url', over));
  }
  const refusal = connectionRefused(search.answer.exchange, prepared);
  if (refusal !== undefined) return refusal;
  if (search.kind === 'refused') {
    if (wantsCertificate(search.answer, prepared)) return clientRemark(search.answer.evidence, prepared);
    const change = setting('--admin ORIGINATOR', 'originators.admin', 'ORIGINATOR');
    const tried = `none of the originators tried may read ${search.path}: ${search.answer.evidence}`;
    return wrong('originator', tried, change);
  }
  const isUnanswered = perhapsAnother(search.answer.exchange.failure, prepared) !== '';
  const named = search.kind === 'nowhere' && search.cse ? setting('--base NAME', 'base', 'NAME') : undefined;
  const change = isUnanswered ? setting('--cse-id ID', 'cse id', 'ID') : named;
  const about = (search.kind === 'nowhere' && !search.cse) || search.kind === 'silent' ? 'answers' : 'CSE base';
  return wrong(about, says, change ?? elsewhere('see what listens there, and correct the URL'));
}

/** Whether a client without a certificate gets SECURITY_ASSOCIATION_REQUIRED over TLS (TS-0004, clause 6.6.3.5). */
function wantsCertificate({ view }: ProbeAnswer, { own, description }: PreparedUrl): boolean {
  return own === undefined && /^(https|wss|mqtts):/.test(description.url) && view.rsc === 4107;
}

/** By TLS, or by an MQTT server (MQTT 3.1.1, 3.2.2.3: return codes 4 and 5). */
function connectionRefused({ failure, tls }: Exchange, prepared: PreparedUrl): SetupRemark | undefined {
  if (failure === undefined) return undefined;
  const { kind, message } = failure;
  const isEnded = kind === 'closed' || kind === 'reset';
  if (kind === 'tls' || (isEnded && tls?.handshake !== undefined)) return clientRemark(message, prepared);
  if (prepared.route?.wire !== 'MQTT' || !/Not authorized|Bad username or password/i.test(message)) return undefined;
  const url = prepared.description.url.replace('://', '://USER:PASSWORD@');
  return wrong('MQTT server', `it refuses the connection: ${message}`, setting(`--url ${url}`, 'url', url));
}

/** Whether the configured originators may read the CSE base. */
async function rightsRemarks(asker: Asker, base: Base, { choice }: PreparedUrl): Promise<SetupRemark[]> {
  const { admin, originator, dialect } = choice;
  const remarks: SetupRemark[] = [];
  const used = asker.originator;
  for (const [about, key, flag, id] of [
    ['administrator', 'originators.admin', '--admin', admin],
    ['originator', 'originators.may register', '--originator', originator],
  ] as const) {
    if (id === undefined) continue;
    const answer = id === used ? base.answer : await asker.ask({ path: base.path, originator: id });
    const able = used === undefined || used === id ? 'ORIGINATOR' : used;
    const denied = `${quoted(id)} may not read the CSE base: ${answer.evidence}`;
    if (answer.success) remarks.push(right(about, `${quoted(id)} may read the CSE base`));
    else remarks.push(wrong(about, denied, setting(`${flag} ${able}`, key, able)));
  }
  if (admin !== undefined || dialect !== 'onem2m') return remarks;
  const says = 'none is configured, so that its privileges are not checked';
  return [...remarks, unknown('administrator', says, setting('--admin ORIGINATOR', 'originators.admin', 'ORIGINATOR'))];
}

async function certificateRemarks(asker: Asker, base: Base, prepared: PreparedUrl): Promise<SetupRemark[]> {
  const about = 'client certificate';
  const configured = prepared.choice.tls?.requireCert;
  if (!prepared.description.url.startsWith('https:') || prepared.own === undefined) return [];
  const { requireCert: found } = await findSecurity(asker, base, prepared);
  if (certificateFor(prepared) === undefined || found === undefined) return [];
  const demands = found ? 'it demands one, and accepts this one' : 'it works without one as well';
  if (configured === undefined || configured === found) return [right(about, demands)];
  return [wrong(about, demands, setting(found ? '--require-cert' : '--no-require-cert', 'tls.require cert', found))];
}

/** Leftovers of earlier runs, recognised by their names. */
async function leftRemarks(asker: Asker, { path }: Base): Promise<SetupRemark[]> {
  const about = 'leftovers';
  const { view, success } = await asker.ask({ path, query: { fu: 1, ty: 2 } });
  if (!success || view.found === undefined) return [];
  const left = view.found.filter((one) => typeof one === 'string' && /\/cl-[0-9a-z]{7}-\d+[^/]*$/.test(one));
  if (left.length === 0) return [right(about, 'there is no application entity of another run')];
  const says = `${left.length} application entities of other runs are there, such as ${quoted(String(left[0]))}`;
  const change = elsewhere('cselab cleanup removes what the ledger of such a run names; delete the others');
  return [wrong(about, says, change)];
}

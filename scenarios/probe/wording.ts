/** Form of the answers of a target, and the headers that it demands. */
import { isObject } from '../engine/basics/body.ts';
import { parseTimestamp } from '../engine/judging/timestamp.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { certificateFor } from '../engine/targets/url-choice.ts';
import type { Asker, ProbeAnswer, Question } from './asker.ts';
import type { Base } from './find-base.ts';
import { type Finding, featureFinding, type ProbeFindings, quoted, refusedBy, valueFinding } from './finding.ts';
import { display, releaseFor } from './identity.ts';

/** Findings from the answer with the CSE base. */
export function wordingOf({ attributes, answer }: Base): Finding[] {
  const type = answer.view.headers.get('content-type');
  const time = attributes.ct ?? attributes.lt;
  const number = /"(?:ty|cst)"\s*:\s*("?[\d.]+"?)/.exec(answer.text)?.[1];
  const inBase = (key: string) => `${answer.evidence}; ${key} of its CSE base`;
  return [
    valueFinding('speech', 'content type', 'Content-Type of answers', type && quoted(type), answer.evidence),
    valueFinding('speech', 'timestamps', 'timestamps', time === undefined ? undefined : display(time), inBase('ct')),
    valueFinding('speech', 'integers', 'integers', number && `${quoted(number)}, ${integerForm(number)}`, inBase('ty')),
  ];
}

function integerForm(text: string): string {
  if (text.startsWith('"')) return 'as texts';
  return text.includes('.') ? 'as JSON numbers with a fraction' : 'as JSON numbers';
}

const headers = [
  { id: 'needs originator', name: 'demands X-M2M-Origin', leaves: { originator: null } },
  { id: 'needs request id', name: 'demands X-M2M-RI', leaves: { headers: { 'X-M2M-RI': null } } },
  { id: 'needs release', name: 'demands X-M2M-RVI', leaves: { headers: { 'X-M2M-RVI': null } } },
] as const;

/** First omits all of them: if that works, none is demanded. */
export async function findDemands(asker: Asker, { path }: Base): Promise<Finding[]> {
  const plain = await asker.ask({ path, originator: null, headers: { 'X-M2M-RI': null, 'X-M2M-RVI': null } });
  if (plain.success) {
    const evidence = `${plain.evidence}, asked without any header of oneM2M`;
    return headers.map(({ id, name }) => ({ topic: 'speech', id, name, found: 'no', evidence }));
  }
  const findings: Finding[] = [];
  for (const { id, name, leaves } of headers) {
    const answer = await asker.ask({ path, ...leaves } as Question);
    const evidence = `${answer.evidence}, asked without that header`;
    findings.push({ topic: 'speech', id, name, found: refusedBy(answer), evidence });
  }
  return findings;
}

/** The body of a NOT_FOUND answer. */
export async function findErrorForm(asker: Asker, { path }: Base): Promise<Finding[]> {
  const answer = await asker.ask({ path: `${path}/cselab-probe-no-such-resource` });
  const form = answer.view.status === 404 ? errorForm(answer) : undefined;
  return [valueFinding('speech', 'errors', 'body of errors', form, answer.evidence)];
}

function errorForm({ view, text }: ProbeAnswer): string {
  if (text === '') return 'empty';
  return isObject(view.body) ? `JSON, ${quoted(Object.keys(view.body).join(', '), 40)}` : 'text';
}

// The release for requests, by what the CSE base lists and what is accepted.

interface Known {
  /** From `srv`, the oldest first. */
  readonly listed: readonly string[];
  /** From the target file of its product. */
  readonly usual: string | undefined;
}

/** The usual release of the product if it lists that, or none; else the newest that it lists and accepts. */
export async function findRelease(asker: Asker, base: Base, { listed, usual }: Known) {
  const used = asker.release;
  const finding = await findUnknown(asker, base);
  const fits = usual !== undefined && (listed.length === 0 || listed.includes(usual));
  const newest = fits ? usual : releaseFor(listed);
  const findings = [echoOf(base), finding];
  const accepted = `${base.answer.evidence}, asked with X-M2M-RVI: ${used}`;
  const srv = `srv of its CSE base is ${display(base.attributes.srv)}`;
  const found = (release: string, evidence: string): ProbeFindings<'release'> => {
    const own = valueFinding('identity', 'release', 'release of requests', release, evidence);
    return { findings: [...findings, own], release };
  };
  const isRefused = finding.found === 'yes';
  if (newest === undefined) return isRefused ? found(used, `${accepted}; ${finding.evidence}`) : { findings };
  if (newest === used) return found(used, `${srv}; ${accepted}`);
  const answer = await asker.ask({ path: base.path, headers: { 'X-M2M-RVI': newest } });
  const asked = `${answer.evidence}, asked with X-M2M-RVI: ${newest}`;
  return answer.success ? found(newest, `${srv}; ${asked}`) : found(used, `${srv}; ${accepted}; ${asked}`);
}

/** Whether it refuses an unknown release. */
async function findUnknown(asker: Asker, { path }: Base): Promise<Finding> {
  const answer = await asker.ask({ path, headers: { 'X-M2M-RVI': '99' } });
  const evidence = `${answer.evidence}, asked with X-M2M-RVI: 99`;
  const name = 'refuses unknown releases';
  return { topic: 'speech', id: 'unknown release', name, found: refusedBy(answer), evidence };
}

/** Whether the answer names the release. */
function echoOf({ answer }: Base): Finding {
  const echoed = answer.view.headers.get('x-m2m-rvi');
  const about = { topic: 'speech', id: 'release echo', name: 'answers name the release' } as const;
  if (echoed === undefined) return { ...about, found: 'no', evidence: `${answer.evidence}, with no X-M2M-RVI` };
  const value = quoted(echoed);
  return { ...about, found: 'yes', value, evidence: `${answer.evidence}, with X-M2M-RVI: ${value}` };
}

// Connection, clock and TLS of the target.

const topic = 'connection' as const;

/** `first`: the answer after which the connection was watched. */
export function connectionOf(first: Base['answer']): Finding[] {
  const announced = first.view.headers.get('connection');
  const header = announced === undefined ? '' : `, with Connection: ${quoted(announced)}`;
  const { connection } = first.exchange;
  const kept = connection === 'open' && !/\bclose\b/i.test(announced ?? '');
  const about = { topic, id: 'keep-alive', name: 'keeps connections' };
  if (connection === undefined) return [{ ...about, found: 'unknown', evidence: first.evidence }];
  const evidence = `${first.evidence}${header}; the connection was ${connection === 'open' ? 'open' : 'closed'} after it`;
  return [{ ...about, found: kept ? 'yes' : 'no', evidence }];
}

/** Bytes that come after an answer break the next one on the same connection. */
export function lengthOf({ answer, first }: Base): Finding[] {
  const long = [first, answer].find(({ exchange }) => (exchange.surplus ?? 0) > 0);
  const { evidence, exchange } = long ?? first;
  if (long === undefined && exchange.connection === undefined) return [];
  const more = long === undefined ? '' : `; ${exchange.surplus} more bytes came than Content-Length says`;
  const found = long === undefined ? 'yes' : 'no';
  return [{ topic, id: 'content length', name: 'Content-Length is right', found, evidence: `${evidence}${more}` }];
}

/** Seconds that its clock is ahead of ours, by each time in the answer. `received`: milliseconds since 1970 at its arrival. */
export function clockAhead(
  { attributes, answer }: Base,
  received: number,
): Array<{ readonly ahead: number; readonly evidence: string }> {
  const { headers } = answer.view;
  const sources: ReadonlyArray<readonly [string, unknown]> = [
    ['X-M2M-OT', headers.get('x-m2m-ot')],
    ['ctm of its CSE base', attributes.ctm],
    ['Date', headers.get('date')],
  ];
  return sources.flatMap(([source, text]) => {
    const time = typeof text === 'string' ? millisecondsIn(text) : undefined;
    if (typeof text !== 'string' || time === undefined) return [];
    const ahead = Math.round((time - received + answer.exchange.took / 2) / 1000);
    return [{ ahead, evidence: `${answer.evidence}, with ${source} ${quoted(text)}` }];
  });
}

export function clockOf(base: Base, received: number): Finding[] {
  const [first] = clockAhead(base, received);
  const evidence = first?.evidence ?? `${base.answer.evidence}, without Date and X-M2M-OT`;
  return [valueFinding(topic, 'clock', 'its clock', first && offsetText(first.ahead), evidence)];
}

/** HTTP dates have whole seconds. */
function offsetText(ahead: number): string {
  if (Math.abs(ahead) <= 1) return 'the same as here';
  return `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} ours`;
}

function millisecondsIn(text: string): number | undefined {
  const instant = parseTimestamp(text);
  if (instant !== undefined) return Number(instant / 1000n);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

/** Whether it serves a client without a certificate over HTTPS. */
export async function findSecurity(
  asker: Asker,
  base: Base,
  prepared: PreparedUrl,
): Promise<ProbeFindings<'requireCert'>> {
  if (!prepared.description.url.startsWith('https:'))
    return { findings: [featureFinding('PICS_TLS', 'unknown', 'the URL is one of plain HTTP')] };
  const presented = certificateFor(prepared) !== undefined;
  const facts = base.answer.exchange.tls;
  const version = facts?.version === undefined ? '' : `, over ${facts.version}`;
  const tls = featureFinding('PICS_TLS', 'yes', `${base.answer.evidence}${version}`);
  const answer = presented ? await asker.ask({ path: base.path, anonymous: true }) : base.answer;
  const required = presented && (answer.exchange.failure?.kind === 'tls' || answer.view.status === 403);
  const known = answer.success || required;
  const found = known ? (required ? 'yes' : 'no') : 'unknown';
  const evidence = `${answer.evidence}, without a client certificate`;
  const finding: Finding = { topic, id: 'require cert', name: 'demands a client certificate', found, evidence };
  return { findings: [tls, finding], ...(known && { requireCert: required }) };
}

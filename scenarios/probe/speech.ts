/** How the target words its answers, and which headers it demands. */
import { isObject } from '../engine/basics/body.ts';
import { parseTimestamp } from '../engine/judging/timestamp.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { presentedTo } from '../engine/targets/url-choice.ts';
import type { Asker, ProbeAnswer, Question } from './asker.ts';
import type { Base } from './find-base.ts';
import { type Finding, featureFinding, type Learnt, quoted, refusedBy, told } from './finding.ts';
import { releaseFor, shown } from './identity.ts';

/** What the answer with the CSE base shows by itself. */
export function wordingOf({ attributes, seen }: Base): Finding[] {
  const type = seen.view.headers.get('content-type');
  const time = attributes.ct ?? attributes.lt;
  const number = /"(?:ty|cst)"\s*:\s*("?[\d.]+"?)/.exec(seen.text)?.[1];
  const inBase = (key: string) => `${seen.evidence}; ${key} of its CSE base`;
  return [
    told('speech', 'content type', 'Content-Type of answers', type && quoted(type), seen.evidence),
    told('speech', 'timestamps', 'timestamps', time === undefined ? undefined : shown(time), inBase('ct')),
    told('speech', 'integers', 'integers', number && `${quoted(number)}, ${integerForm(number)}`, inBase('ty')),
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

/** First without all of them: where that is served, none is demanded. */
export async function findDemands(asker: Asker, { path }: Base): Promise<Finding[]> {
  const plain = await asker.ask({ path, originator: null, headers: { 'X-M2M-RI': null, 'X-M2M-RVI': null } });
  if (plain.success) {
    const evidence = `${plain.evidence}, asked without any header of oneM2M`;
    return headers.map(({ id, name }) => ({ topic: 'speech', id, name, found: 'no', evidence }));
  }
  const findings: Finding[] = [];
  for (const { id, name, leaves } of headers) {
    const seen = await asker.ask({ path, ...leaves } as Question);
    const evidence = `${seen.evidence}, asked without that header`;
    findings.push({ topic: 'speech', id, name, found: refusedBy(seen), evidence });
  }
  return findings;
}

/** How it says that there is nothing. */
export async function findErrorForm(asker: Asker, { path }: Base): Promise<Finding[]> {
  const seen = await asker.ask({ path: `${path}/cselab-probe-no-such-resource` });
  const form = seen.view.status === 404 ? errorForm(seen) : undefined;
  return [told('speech', 'errors', 'body of errors', form, seen.evidence)];
}

function errorForm({ view, text }: ProbeAnswer): string {
  if (text === '') return 'empty';
  return isObject(view.body) ? `JSON, ${quoted(Object.keys(view.body).join(', '), 40)}` : 'text';
}

// Which release requests are to name, by what the CSE base lists and by what is accepted.

interface Known {
  /** Those of `srv`, the oldest first. */
  readonly listed: readonly string[];
  /** What the target file of its product says. */
  readonly usual: string | undefined;
}

/** The usual release of its product where it lists that, or lists nothing; else the newest that it lists and takes. */
export async function findRelease(asker: Asker, base: Base, { listed, usual }: Known): Promise<Learnt<'release'>> {
  const asked = asker.release;
  const finding = await findUnknown(asker, base);
  const fits = usual !== undefined && (listed.length === 0 || listed.includes(usual));
  const wanted = fits ? usual : releaseFor(listed);
  const findings = [echoOf(base), finding];
  const accepted = `${base.seen.evidence}, asked with X-M2M-RVI: ${asked}`;
  const srv = `srv of its CSE base is ${shown(base.attributes.srv)}`;
  const found = (release: string, evidence: string): Learnt<'release'> => {
    return { findings: [...findings, told('identity', 'release', 'release of requests', release, evidence)], release };
  };
  if (wanted === undefined)
    return finding.found === 'yes' ? found(asked, `${accepted}; ${finding.evidence}`) : { findings };
  if (wanted === asked) return found(asked, `${srv}; ${accepted}`);
  const seen = await asker.ask({ path: base.path, headers: { 'X-M2M-RVI': wanted } });
  if (!seen.success) return found(asked, `${srv}; ${accepted}; ${seen.evidence}, asked with X-M2M-RVI: ${wanted}`);
  return found(wanted, `${srv}; ${seen.evidence}, asked with X-M2M-RVI: ${wanted}`);
}

/** What a release is that does not exist. */
async function findUnknown(asker: Asker, { path }: Base): Promise<Finding> {
  const seen = await asker.ask({ path, headers: { 'X-M2M-RVI': '99' } });
  const evidence = `${seen.evidence}, asked with X-M2M-RVI: 99`;
  const name = 'refuses unknown releases';
  return { topic: 'speech', id: 'unknown release', name, found: refusedBy(seen), evidence };
}

/** Whether the answer names the release that was asked with. */
function echoOf({ seen }: Base): Finding {
  const echoed = seen.view.headers.get('x-m2m-rvi');
  return {
    topic: 'speech',
    id: 'release echo',
    name: 'answers name the release',
    found: echoed === undefined ? 'no' : 'yes',
    ...(echoed !== undefined && { value: quoted(echoed) }),
    evidence: `${seen.evidence}, with ${echoed === undefined ? 'no X-M2M-RVI' : `X-M2M-RVI: ${quoted(echoed)}`}`,
  };
}

// What of the target shows beside its answers: the connection, its clock, TLS.

const topic = 'connection' as const;

/** `first`: the request after whose answer the connection was watched. */
export function connectionOf(first: Base['seen']): Finding[] {
  const announced = first.view.headers.get('connection');
  const said = announced === undefined ? '' : `, with Connection: ${quoted(announced)}`;
  const { connection } = first.exchange;
  const kept = connection === 'open' && !/\bclose\b/i.test(announced ?? '');
  const name = 'keeps connections';
  if (connection === undefined) return [{ topic, id: 'keep-alive', name, found: 'unknown', evidence: first.evidence }];
  const evidence = `${first.evidence}${said}; the connection was ${connection === 'open' ? 'open' : 'closed'} after it`;
  return [{ topic, id: 'keep-alive', name, found: kept ? 'yes' : 'no', evidence }];
}

/** Bytes that come after an answer break the next one on the same connection. */
export function lengthOf({ seen, first }: Base): Finding[] {
  const long = [first, seen].find(({ exchange }) => (exchange.surplus ?? 0) > 0);
  const { evidence, exchange } = long ?? first;
  if (long === undefined && exchange.connection === undefined) return [];
  const more = long === undefined ? '' : `; ${exchange.surplus} more bytes came than Content-Length says`;
  const found = long === undefined ? 'yes' : 'no';
  return [{ topic, id: 'content length', name: 'Content-Length is right', found, evidence: `${evidence}${more}` }];
}

/** Seconds that its clock is ahead of ours, by each answer that tells a time. `received`: milliseconds since 1970, when the answer had come. */
export function clockAhead(
  { attributes, seen }: Base,
  received: number,
): Array<{ readonly ahead: number; readonly evidence: string }> {
  const { headers } = seen.view;
  const sources: ReadonlyArray<readonly [string, unknown]> = [
    ['X-M2M-OT', headers.get('x-m2m-ot')],
    ['ctm of its CSE base', attributes.ctm],
    ['Date', headers.get('date')],
  ];
  return sources.flatMap(([source, text]) => {
    const time = typeof text === 'string' ? millisecondsIn(text) : undefined;
    if (typeof text !== 'string' || time === undefined) return [];
    const ahead = Math.round((time - received + seen.exchange.took / 2) / 1000);
    return [{ ahead, evidence: `${seen.evidence}, with ${source} ${quoted(text)}` }];
  });
}

export function clockOf(base: Base, received: number): Finding[] {
  const [first] = clockAhead(base, received);
  const evidence = first?.evidence ?? `${base.seen.evidence}, without Date and X-M2M-OT`;
  return [told(topic, 'clock', 'its clock', first && offsetText(first.ahead), evidence)];
}

/** Dates of HTTP are exact to the second. */
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

/** Over HTTPS: whether it serves a client without a certificate. */
export async function findSecurity(asker: Asker, base: Base, prepared: PreparedUrl): Promise<Learnt<'requireCert'>> {
  if (!prepared.description.url.startsWith('https:')) {
    return { findings: [featureFinding('PICS_TLS', 'unknown', 'the URL is one of plain HTTP')] };
  }
  const presented = presentedTo(prepared) !== undefined;
  const facts = base.seen.exchange.tls;
  const version = facts?.version === undefined ? '' : `, over ${facts.version}`;
  const tls = featureFinding('PICS_TLS', 'yes', `${base.seen.evidence}${version}`);
  const seen = presented ? await asker.ask({ path: base.path, anonymous: true }) : base.seen;
  const required = presented && (seen.exchange.failure?.kind === 'tls' || seen.view.status === 403);
  const known = seen.success || required;
  const found = known ? (required ? 'yes' : 'no') : 'unknown';
  const evidence = `${seen.evidence}, without a client certificate`;
  const finding: Finding = { topic, id: 'require cert', name: 'demands a client certificate', found, evidence };
  return { findings: [tls, finding], ...(known && { requireCert: required }) };
}

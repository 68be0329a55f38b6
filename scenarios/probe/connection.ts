/** What of the target shows beside its answers: the connection, its clock, TLS. */
import { parseTimestamp } from '../engine/judging/timestamp.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { presentedTo } from '../engine/targets/url-choice.ts';
import type { Asker } from './asker.ts';
import type { Base } from './find-base.ts';
import { type Finding, featureFinding, type Learnt, quoted, told } from './finding.ts';

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

/** Seconds that its clock is ahead of ours. `received`: milliseconds since 1970, when the answer had come. */
export function clockOf({ attributes, seen }: Base, received: number): Finding[] {
  const { headers } = seen.view;
  const finding = (value: string | undefined, evidence: string) => [told(topic, 'clock', 'its clock', value, evidence)];
  const sources: ReadonlyArray<readonly [string, unknown]> = [
    ['X-M2M-OT', headers.get('x-m2m-ot')],
    ['ctm of its CSE base', attributes.ctm],
    ['Date', headers.get('date')],
  ];
  for (const [source, text] of sources) {
    const time = typeof text === 'string' ? millisecondsIn(text) : undefined;
    if (typeof text !== 'string' || time === undefined) continue;
    const ahead = Math.round((time - received + seen.exchange.took / 2) / 1000);
    return finding(offsetText(ahead), `${seen.evidence}, with ${source} ${quoted(text)}`);
  }
  return finding(undefined, `${seen.evidence}, without Date and X-M2M-OT`);
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

/** How the target words its answers, and which headers it demands. */
import { isObject } from '../engine/judging/body.ts';
import type { Asker, Question, Seen } from './asker.ts';
import type { Base } from './find-base.ts';
import { type Finding, quoted } from './finding.ts';
import { shown } from './identity.ts';

const topic = 'speech' as const;

/** What the answer with the CSE base shows by itself. */
export function wordingOf({ attributes, seen }: Base): Finding[] {
  const type = seen.view.headers.get('content-type');
  const time = attributes.ct ?? attributes.lt;
  const number = /"(?:ty|cst)"\s*:\s*("?[\d.]+"?)/.exec(seen.text)?.[1];
  return [
    valued('content type', 'Content-Type of answers', type && quoted(type), seen.evidence),
    valued(
      'timestamps',
      'timestamps',
      time === undefined ? undefined : shown(time),
      `${seen.evidence}; ct of its CSE base`,
    ),
    valued(
      'integers',
      'integers',
      number && `${quoted(number)}, ${integerForm(number)}`,
      `${seen.evidence}; ty of its CSE base`,
    ),
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
    return headers.map(({ id, name }) => ({ topic, id, name, found: 'no', evidence }));
  }
  const findings: Finding[] = [];
  for (const { id, name, leaves } of headers) {
    const seen = await asker.ask({ path, ...leaves } as Question);
    const found = seen.answered ? (seen.success ? 'no' : 'yes') : 'unknown';
    findings.push({ topic, id, name, found, evidence: `${seen.evidence}, asked without that header` });
  }
  return findings;
}

/** How it says that there is nothing. */
export async function findErrorForm(asker: Asker, { path }: Base): Promise<Finding[]> {
  const seen = await asker.ask({ path: `${path}/cselab-probe-no-such-resource` });
  const { status } = seen.view;
  return [
    {
      topic,
      id: 'errors',
      name: 'body of errors',
      found: status === 404 ? 'yes' : 'unknown',
      ...(status === 404 && { value: errorForm(seen) }),
      evidence: seen.evidence,
    },
  ];
}

function errorForm({ view, text }: Seen): string {
  if (text === '') return 'empty';
  return isObject(view.body) ? `JSON, ${quoted(Object.keys(view.body).join(', '), 40)}` : 'text';
}

function valued(id: string, name: string, value: string | undefined, evidence: string): Finding {
  if (value === undefined || value === '') return { topic, id, name, found: 'unknown', evidence };
  return { topic, id, name, found: 'yes', value, evidence };
}

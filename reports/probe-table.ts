import { type Finding, type ProbeResult, probeTopics } from '../scenarios/index.ts';
import { wrap } from './terminal/wrap.ts';
import { visibleText } from './visible-text.ts';
import { counted, durationText } from './wording.ts';

const headings: Readonly<Record<Finding['topic'], string>> = {
  identity: 'Who it is',
  speech: 'How it speaks',
  addresses: 'Addresses',
  originators: 'Originators',
  connection: 'Connection',
  implements: 'What it can do',
};

/** `?` marks what could not be found. */
const marks: Readonly<Record<Finding['found'], string>> = { yes: 'yes', no: 'no ', unknown: '?  ' };

/** The findings for a terminal of so many columns: each with what was asked and what came. */
export function probeTable(result: ProbeResult, columns: number): string {
  const { url, says, findings, requests, took, wrote, leftBehind } = result;
  const lines = [
    ...wrap(`${url}: ${visibleText(says)}`, columns),
    ...probeTopics.flatMap((topic) => section(topic, findings, columns)),
    '',
    ...wrap(`${counted(requests, 'request')} in ${durationText(took)}; ${footer(wrote, leftBehind)}`, columns),
  ];
  return `${lines.join('\n')}\n`;
}

function section(topic: Finding['topic'], findings: readonly Finding[], columns: number): string[] {
  const own = findings.filter((finding) => finding.topic === topic);
  return own.length === 0 ? [] : ['', headings[topic], ...own.flatMap((finding) => row(finding, columns))];
}

function row({ found, name, value, evidence, topic, id }: Finding, columns: number): string[] {
  const told = topic === 'implements' ? ` (${id})` : value === undefined || topic === 'originators' ? '' : `: ${value}`;
  return [
    ...wrap(visibleText(`${name}${told}`), columns, `  ${marks[found]}  `),
    ...wrap(visibleText(evidence), columns, '         '),
  ];
}

function footer(wrote: boolean, leftBehind: readonly string[]): string {
  if (!wrote) return 'nothing was written to it';
  if (leftBehind.length === 0) return 'all that was created is removed again';
  return `could not be removed: ${leftBehind.join(', ')}`;
}

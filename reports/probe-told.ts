import { type Finding, type ProbeResult, probeTopics } from '../scenarios/index.ts';
import { blank, type Content } from './document/model.ts';
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

/** The findings: each with what was asked and what came. */
export function probeTold(result: ProbeResult): Content {
  const { url, says, findings, requests, took, wrote, leftBehind } = result;
  return [
    `${url}: ${says}`,
    probeTopics.map((topic) => {
      const own = findings.filter((finding) => finding.topic === topic);
      return own.length > 0 && [blank, headings[topic], own.map(findingTold)];
    }),
    blank,
    `${counted(requests, 'request')} in ${durationText(took)}; ${footer(wrote, leftBehind)}`,
  ];
}

function findingTold({ found, name, value, evidence, topic, id }: Finding): Content {
  const told = topic === 'implements' ? ` (${id})` : value === undefined || topic === 'originators' ? '' : `: ${value}`;
  return [
    { kind: 'prose', sign: `  ${marks[found]}  `, words: `${name}${told}` },
    { kind: 'prose', sign: ' '.repeat(9), words: evidence },
  ];
}

function footer(wrote: boolean, leftBehind: readonly string[]): string {
  if (!wrote) return 'nothing was written to it';
  if (leftBehind.length === 0) return 'all that was created is removed again';
  return `could not be removed: ${leftBehind.join(', ')}`;
}

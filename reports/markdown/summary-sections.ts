import type { BaselineProblem, GapObservation, RequirementResult, RunResult } from '../../scenarios/index.ts';
import { byHand } from '../by-hand.ts';
import { type CauseFacts, causeFacts, newCauses } from '../cause-facts.ts';
import { type DeathFacts, deathFacts } from '../death-facts.ts';
import { type Evidence, type EvidenceIndex, indexEvidence, placeText } from '../evidence.ts';
import { excuseText } from '../excuse.ts';
import { answerText, requestText } from '../message-text.ts';
import { type ReasonGroup, reasonGroups } from '../not-tested.ts';
import { surveySentence, surveyWarnings } from '../survey-text.ts';
import { visibleLines } from '../visible-text.ts';
import {
  checkedText,
  counted,
  countsText,
  durationText,
  targetText,
  verdictLine,
  verdictOrder,
  verdictTone,
} from '../wording.ts';
import { code, fence, text } from './escape.ts';

/** A part of a summary; its entries can be left out from the end where room is short. */
export interface Section {
  readonly heading: string;
  readonly entries: readonly string[];
  readonly after?: string;
}

/** What matters most first. */
export function summarySections(result: RunResult): Section[] {
  const evidence = indexEvidence(result);
  const broken = result.requirements.filter(({ verdict }) => verdict === 'violated' || verdict === 'intermittent');
  const causes = causeFacts(result);
  const fresh = [...newCauses(causes, 'violated'), ...newCauses(causes, 'intermittent')];
  const sections = [
    head(result),
    titled('The target died', deathFacts(result).map(deathEntry)),
    titled(
      'New deviations',
      fresh.map((one) => deviation(one, result)),
    ),
    titled('Baseline', (result.baseline?.problems ?? []).map(problemLine)),
    titled(
      'Known deviations',
      broken.filter(({ known }) => known === true).map((one) => knownLine(one, evidence)),
    ),
    titled(
      'Notes',
      [...(result.assumed ?? []), ...(result.notes ?? [])].map((note) => `- ${text(note)}`),
    ),
    gapTable(result),
    titled('Not judged', reasonGroups(result).map(groupLine)),
  ];
  return sections.filter((section) => section !== undefined);
}

function titled(title: string, entries: readonly string[]): Section | undefined {
  return entries.length === 0 ? undefined : { heading: `### ${title} (${entries.length})\n`, entries };
}

function head(result: RunResult): Section {
  const { exit, summary, dialect, took, target, shard, survey } = result;
  const sign = { good: '✅', bad: '❌', open: exit.code === 0 ? '☑️' : '⚠️' }[verdictTone(result)];
  const product = [target.product, target.version].filter(Boolean).join(' ');
  const part = shard === undefined ? '' : `, part ${shard.index} of ${shard.count}`;
  const entries = [
    '',
    ...surveyWarnings(survey ?? {}).map((sentence) => `**${text(sentence)}**`),
    `${product === '' ? '' : `${text(product)}, `}${code(targetText(result))}, dialect ${dialect}${part}: ${countsText(verdictOrder, summary.verdicts)}.`,
    `Checked: ${text(checkedText(result))}.`,
    `${counted(summary.requests, 'request')} in ${durationText(took)}.`,
    ...(survey === undefined ? [] : [text(surveySentence(survey))]),
  ];
  return { heading: `## ${sign} ${text(verdictLine(result))}`, entries };
}

function deathEntry({ title, lines, curl }: DeathFacts): string {
  const facts = lines.map((line) => `  - ${text(line)}`);
  return [`- † ${text(title)}`, ...facts, '', fence(curl.flatMap(visibleLines).join('\n')), ''].join('\n');
}

function deviation({ requirement, others, shown }: CauseFacts, result: RunResult): string {
  const { id, verdict, says, section, source } = requirement;
  const summary = `<summary>${verdict === 'violated' ? '✗' : '≈'} <code>${text(id)}</code> ${text(says)}</summary>`;
  const beside = others.map((one) => `- with it: ${code(one.id)} ${text(one.says)}`);
  const details = [...evidenceLines(shown, result), ...beside, ...(beside.length > 0 ? [''] : [])];
  return ['<details>', summary, '', `${text(section)}, ${text(source)}`, '', ...details, '</details>'].join('\n');
}

/** Characters of a message that are shown. */
const options = { briefly: true, bodyLimit: 4000 };

function evidenceLines(evidence: Evidence, result: RunResult): string[] {
  const { scenario, step, check } = evidence;
  const { exchange } = step;
  const messages = exchange && [requestText(exchange, options), '', answerText(exchange, options), ''];
  const commands = byHand(result, evidence);
  return [
    `- scenario ${code(scenario.id)} at ${code(placeText(check))}, step ${text(step.title)}`,
    ...check.expected.map((outcome, at) => `- ${at === 0 ? 'expected' : 'or'}: ${text(outcome)}`),
    `- actual: ${text(check.actual)}`,
    '',
    ...(messages === undefined ? [] : [fence([...messages, ...commands].flatMap(visibleLines).join('\n')), '']),
  ];
}

function knownLine({ id, violations }: RequirementResult, index: EvidenceIndex): string {
  const [first = {}] = violations.flatMap((reference) => index.at(reference)?.check.known ?? []);
  return `- ${code(id)}: ${text(excuseText(first))}`;
}

function problemLine({ kind, says }: BaselineProblem): string {
  return `- ${kind}: ${text(says)}`;
}

function gapTable({ requirements }: RunResult): Section | undefined {
  const rows = requirements.flatMap((requirement) =>
    requirement.gaps.slice(0, 1).map((gap) => gapRow(requirement, gap)),
  );
  if (rows.length === 0) return undefined;
  const heading = `<details><summary>What the specification leaves open, and what this target does (${rows.length})</summary>\n`;
  return {
    heading: `${heading}\n| left open | what it does | as the reference |\n| --- | --- | --- |`,
    entries: rows,
    after: '\n\n</details>',
  };
}

function gapRow({ says }: RequirementResult, { actual, asReference, variant }: GapObservation): string {
  const done = variant === undefined ? actual : `${variant}: ${actual}`;
  return `| ${text(says)} | ${text(done)} | ${asReference ? 'yes' : 'no'} |`;
}

function groupLine({ of, state, reason, ids }: ReasonGroup): string {
  return `- ${counted(ids.length, of)} ${state}: ${text(reason)}`;
}

import { appendFile } from 'node:fs/promises';
import type { RequirementResult, RunResult } from '../../scenarios/words.ts';
import { claimBlocks, reasonGroups } from '../check/context-blocks.ts';
import { behaviourBlocks, causeFold, deathBlocks } from '../check/run-blocks.ts';
import { code, entriesOf, fitParts, type MarkdownPart, text } from '../document/markdown.ts';
import { answersIn, type EvidenceIndex, excuseText, indexEvidence } from '../facts/evidence.ts';
import { causeFacts, newCauses, surveySentence, surveyWarnings } from '../facts/run-facts.ts';
import {
  checkedText,
  counted,
  countsText,
  durationText,
  targetText,
  verdictLine,
  verdictTone,
} from '../facts/wording.ts';
import { UnwritableReport, writeWhole } from '../writing/output-file.ts';

/** Bytes. A comment on GitHub takes 65,536 characters, the summary of a step 1 MiB; longer ones are refused. */
const defaultBudget = 65_000;

/** Writes a summary for people as Markdown. `append`: to the output of other steps of a job. */
export function markdownReporter(path: string, append: boolean): { finish(result: RunResult): Promise<void> } {
  return {
    async finish(result) {
      const text = renderMarkdown(result);
      if (!append) return writeWhole(path, text);
      await appendFile(path, text, 'utf8').catch((cause: unknown) => {
        throw new UnwritableReport(path, cause);
      });
    },
  };
}

/** At most `budget` bytes: what matters most comes first, and what is left out is counted. */
export function renderMarkdown(result: RunResult, budget = defaultBudget): string {
  return fitParts(summaryParts(result), budget - 200);
}

/** What matters most first. */
function summaryParts(result: RunResult): MarkdownPart[] {
  const evidence = indexEvidence(result);
  const causes = causeFacts(result);
  const fresh = [...newCauses(causes, 'violated'), ...newCauses(causes, 'intermittent')];
  const isKnown = ({ known, verdict }: RequirementResult) =>
    known === true && /^(violated|intermittent)$/.test(verdict);
  const gaps = entriesOf(behaviourBlocks(result)).slice(1);
  const notChecked = reasonGroups(result).map(
    ({ of, state, reason, ids }) => `- ${counted(ids.length, of)} ${state}: ${text(reason)}`,
  );
  const open = `Implementation-defined behaviour (${gaps.length})`;
  const titled: Readonly<Record<string, readonly string[]>> = {
    'The target died': entriesOf(deathBlocks(result)),
    'New deviations': entriesOf(fresh.map((one) => causeFold(one, result))),
    Baseline: (result.baseline?.problems ?? []).map(({ kind, says }) => `- ${kind}: ${text(says)}`),
    'Known deviations': result.requirements.filter(isKnown).map((one) => knownLine(one, evidence)),
    Claims: entriesOf(claimBlocks(result)).map((line) => `- ${line}`),
    'What people answered': answersIn(result).map((line) => `- ${text(line)}`),
    Notes: [...(result.assumed ?? []), ...(result.notes ?? [])].map((note) => `- ${text(note)}`),
  };
  return [
    head(result),
    ...Object.entries(titled).map(([title, entries]) => partOf(title, entries)),
    { head: `<details><summary>${open}</summary>\n`, entries: gaps, leftOut, after: '\n\n</details>' },
    partOf('Not checked', notChecked),
  ].filter(({ entries }) => entries.length > 0);
}

const partOf = (title: string, entries: readonly string[]): MarkdownPart => {
  return { head: `### ${title} (${entries.length})\n`, entries, leftOut };
};

const leftOut = (count: number): string => `_${count} more, left out to keep this summary short._`;

function head(result: RunResult): MarkdownPart {
  const { exit, summary, dialect, took, target, shard, survey } = result;
  const sign = { good: '✅', bad: '❌', open: exit.code === 0 ? '☑️' : '⚠️' }[verdictTone(result)];
  const product = [target.product, target.version].filter(Boolean).join(' ');
  const part = shard === undefined ? '' : `, part ${shard.index} of ${shard.count}`;
  const entries = [
    '',
    ...surveyWarnings(survey).map((sentence) => `**${text(sentence)}**`),
    `${product === '' ? '' : `${text(product)}, `}${code(targetText(result))}, dialect ${dialect}${part}: ${countsText(summary.verdicts)}.`,
    `Checked: ${text(checkedText(result))}.`,
    `${counted(summary.requests, 'request')} in ${durationText(took)}.`,
    ...(survey === undefined ? [] : [text(surveySentence(survey))]),
  ];
  return { head: `## ${sign} ${text(verdictLine(result))}`, entries, leftOut };
}

function knownLine({ id, violations }: RequirementResult, index: EvidenceIndex): string {
  const [first = {}] = index.at(violations).flatMap(({ check }) => check.known ?? []);
  return `- ${code(id)}: ${text(excuseText(first))}`;
}

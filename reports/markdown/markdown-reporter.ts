import { appendFile } from 'node:fs/promises';
import type { RequirementResult, RunResult } from '../../scenarios/index.ts';
import { causeFacts, newCauses } from '../cause-facts.ts';
import { causeFold, deathsTold, gapsTold } from '../check/run-told.ts';
import { entriesOf, fitted, type Part } from '../document/markdown.ts';
import { type EvidenceIndex, excuseText, indexEvidence } from '../evidence.ts';
import { type ReasonGroup, reasonGroups } from '../not-tested.ts';
import { UnwritableReport, writeWhole } from '../output-file.ts';
import { surveySentence, surveyWarnings } from '../survey-text.ts';
import { checkedText, counted, countsText, durationText, targetText, verdictLine, verdictTone } from '../wording.ts';
import { code, text } from './escape.ts';

/** Bytes. A comment on GitHub takes 65,536 characters, the summary of a step 1 MiB; the whole of what is longer is refused. */
const usualBudget = 65_000;

/** Writes a summary for people as Markdown. `append`: to what other steps of a job have written already. */
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
export function renderMarkdown(result: RunResult, budget = usualBudget): string {
  return fitted(summaryParts(result), budget - 200);
}

/** What matters most first. */
function summaryParts(result: RunResult): Part[] {
  const evidence = indexEvidence(result);
  const broken = result.requirements.filter(({ verdict }) => verdict === 'violated' || verdict === 'intermittent');
  const causes = causeFacts(result);
  const fresh = [...newCauses(causes, 'violated'), ...newCauses(causes, 'intermittent')];
  const known = broken.filter((one) => one.known === true).map((one) => knownLine(one, evidence));
  const notes = [...(result.assumed ?? []), ...(result.notes ?? [])].map((note) => `- ${text(note)}`);
  const parts = [
    head(result),
    titled('The target died', entriesOf(deathsTold(result))),
    titled('New deviations', entriesOf(fresh.map((one) => causeFold(one, result)))),
    titled(
      'Baseline',
      (result.baseline?.problems ?? []).map(({ kind, says }) => `- ${kind}: ${text(says)}`),
    ),
    titled('Known deviations', known),
    titled('Notes', notes),
    gapPart(result),
    titled('Not judged', reasonGroups(result).map(groupLine)),
  ];
  return parts.filter((part) => part !== undefined);
}

function leftOut(count: number): string {
  return `_${count} more, left out to keep this summary short._`;
}

function titled(title: string, entries: readonly string[]): Part | undefined {
  return entries.length === 0 ? undefined : { head: `### ${title} (${entries.length})\n`, entries, leftOut };
}

function head(result: RunResult): Part {
  const { exit, summary, dialect, took, target, shard, survey } = result;
  const sign = { good: '✅', bad: '❌', open: exit.code === 0 ? '☑️' : '⚠️' }[verdictTone(result)];
  const product = [target.product, target.version].filter(Boolean).join(' ');
  const part = shard === undefined ? '' : `, part ${shard.index} of ${shard.count}`;
  const entries = [
    '',
    ...surveyWarnings(survey ?? {}).map((sentence) => `**${text(sentence)}**`),
    `${product === '' ? '' : `${text(product)}, `}${code(targetText(result))}, dialect ${dialect}${part}: ${countsText(summary.verdicts)}.`,
    `Checked: ${text(checkedText(result))}.`,
    `${counted(summary.requests, 'request')} in ${durationText(took)}.`,
    ...(survey === undefined ? [] : [text(surveySentence(survey))]),
  ];
  return { head: `## ${sign} ${text(verdictLine(result))}`, entries, leftOut };
}

function knownLine({ id, violations }: RequirementResult, index: EvidenceIndex): string {
  const [first = {}] = violations.flatMap((reference) => index.at(reference)?.check.known ?? []);
  return `- ${code(id)}: ${text(excuseText(first))}`;
}

function gapPart(result: RunResult): Part | undefined {
  const [, ...entries] = entriesOf(gapsTold(result));
  if (entries.length === 0) return undefined;
  const summary = `What the specification leaves open, and what this target does (${entries.length})`;
  return { head: `<details><summary>${summary}</summary>\n`, entries, leftOut, after: '\n\n</details>' };
}

function groupLine({ of, state, reason, ids }: ReasonGroup): string {
  return `- ${counted(ids.length, of)} ${state}: ${text(reason)}`;
}

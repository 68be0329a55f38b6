/** `cselab baseline`: maintains the file of known deviations for `cselab check --baseline`. */

import { pruneBaseline, updateBaseline } from '../../scenarios/baseline/edit.ts';
import { explainBaseline } from '../../scenarios/baseline/explain.ts';
import type { ExplainedEntry, RunResult } from '../../scenarios/index.ts';
import { ownRuleFiles, rulesCalled } from '../../scenarios/results.ts';
import { command, commandOf, valued } from '../../sim/command-line/flag.ts';
import { blank, type Content, type Fact, facts, fold, prose } from '../document/model.ts';
import { counted, groupedBy, timeText } from '../facts/wording.ts';
import { rules } from '../flags/common-flags.ts';
import { readReport } from '../formats/read-report.ts';
import { printContent } from '../formats/reporting.ts';
import { writeWhole } from '../writing/output-file.ts';

const file = ['<file>', 'the baseline'] as const;
const reportFlags = { '': { report: valued('<file>', 'JSON report of the run').or('reports/latest/report.json') } };

const examples = `
A baseline excuses failures that are known, each by what the target does: another failure of the same check is new, and red.
It takes what failed from the JSON report of a run, so that nothing is sent twice. People add reason, ticket, owner, expires
and intermittent; \`update\` keeps what they wrote.

Examples:
  cselab check --url http://gw:8000 --report terminal --report json
  cselab baseline update known.yaml                 take in what failed in reports/latest/report.json
  cselab check --url http://gw:8000 --baseline known.yaml     0 while nothing new fails
  cselab baseline prune known.yaml --report out/report.json   remove what passes now
  cselab baseline explain known.yaml                what is excused, why, by whom and until when`;

export const define = commandOf('known deviations: add those of a report, remove fixed ones, list them', examples, {
  update: command({
    help: 'add the failures of a run, and note which were seen again',
    args: [['<file>', 'the baseline; created if missing']],
    flags: reportFlags,
    async run(file, { report }) {
      const result = readReport(report);
      const { text, added, seen, otherwise } = updateBaseline(file, result);
      await writeWhole(file, text);
      printContent([
        `${file}: ${counted(added.length, 'deviation')} added, ${seen.length} seen again`,
        `by ${report} of ${runOf(result)}`,
        added.map(({ scenario, requirement, signature }) => [
          prose(`${requirement} in ${scenario}`, '  + '),
          prose(signature, '      '),
        ]),
        otherwise.map(({ scenario, requirement, place }) => {
          const where = `${file}:${place.line}`;
          const says = `${requirement} in ${scenario} fails in another way than ${where} says; remove that entry if it is over`;
          return prose(says, '  ! ');
        }),
        added.length > 0 && 'Write down for each of them: reason, ticket, owner, expires.',
      ]);
    },
  }),
  prune: command({
    help: 'remove the entries whose check passed in a run; unchecked ones stay',
    args: [file],
    flags: reportFlags,
    async run(file, { report }) {
      const result = readReport(report);
      const { text, removed } = pruneBaseline(file, result);
      if (removed.length > 0) await writeWhole(file, text);
      printContent([
        `${file}: ${counted(removed.length, 'deviation')} removed`,
        `by ${report} of ${runOf(result)}`,
        removed.map(({ scenario, requirement }) => prose(`${requirement} in ${scenario}`, '  - ')),
      ]);
    },
  }),
  explain: command({
    help: 'list what is excused, why, by whom and until when',
    args: [file],
    flags: { '': { report: valued('<file>', 'JSON report of a run, for the state of each entry in it'), rules } },
    run(file, { report, rules: own = [] }) {
      const today = new Date().toISOString().slice(0, 10);
      const result = report === undefined ? undefined : readReport(report);
      const entries = explainBaseline(file, today, result, ownRuleFiles(rulesCalled(own)));
      const byStanding = groupedBy(entries, ({ standing }) => standing);
      byStanding.delete('excused');
      // How many need attention, and why.
      const words = [...byStanding].map(([standing, { length }]) => `${length} ${standing}`);
      const sum = `${counted(entries.length, 'known deviation')}${words.length === 0 ? '' : `: ${words.join(', ')}`}`;
      printContent([entries.map((one) => [entryBlocks(one), blank]), sum]);
    },
  }),
});

/** The run of the report, which may be older than its reader thinks. */
const runOf = ({ run, startedAt }: RunResult): string => `run ${run}, ${timeText(startedAt)}`;

function entryBlocks({ entry, requirement, condition, standing, says, seen }: ExplainedEntry): Content {
  const { 'first seen': first, 'last seen': last, step, nth } = entry;
  const lines: Readonly<Record<string, string | undefined>> = {
    says: requirement && `${requirement.says} (${requirement.section}, ${requirement.source})`,
    scenario: entry.scenario,
    step: step === undefined ? step : `${step}${nth ? ` (${nth}.)` : ''}`,
    deviation: entry.signature,
    'holds for': condition,
    reason: entry.reason ?? 'none is given',
    ticket: entry.ticket,
    owner: entry.owner,
    until: entry.expires ?? 'no end',
    kind: entry.intermittent ? 'intermittent: it comes and goes' : undefined,
    seen: [first && `first on ${first}`, last && `last on ${last}`].filter(Boolean).join(', '),
    standing: `${standing}${says === '' ? '' : `: ${says}`}${seen === undefined ? '' : `, in the report: ${seen}`}`,
  };
  return fold(entry.requirement, '', {}, [
    facts(...Object.entries(lines).map(([label, text]): Fact | undefined => (text ? [label, text] : undefined))),
  ]);
}

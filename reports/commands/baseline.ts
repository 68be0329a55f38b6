/** `cselab baseline`: keeps the file of known deviations that `cselab check --baseline` goes by. */

import type { Command } from 'commander';
import { pruneBaseline, updateBaseline } from '../../scenarios/baseline/edit.ts';
import { explainBaseline } from '../../scenarios/baseline/explain.ts';
import type { Explained } from '../../scenarios/index.ts';
import { command, valued } from '../../sim/command-line/flag.ts';
import { wrap } from '../document/screen.ts';
import { counted, groupedBy, visibleText } from '../facts/wording.ts';
import { readReport } from '../formats/read-report.ts';
import { io } from '../writing/io.ts';
import { print, writeWhole } from '../writing/output-file.ts';

const file = ['<file>', 'the baseline'] as const;
const ofRun = { '': { report: valued('<file>', 'JSON report of the run').or('reports/latest/report.json') } };

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

const update = command({
  takes: [['<file>', 'the baseline; made where there is none']],
  flags: ofRun,
  run: (path, { report }) => runUpdate(path, report),
});

const prune = command({
  takes: [file],
  flags: ofRun,
  run: (path, { report }) => runPrune(path, report),
});

const explain = command({
  takes: [file],
  flags: { '': { report: valued('<file>', 'JSON report of a run, to tell what became of each entry in it') } },
  run: (path, { report }) => runExplain(path, report),
});

const actions = [
  ['update', 'add what failed in a run, and note what was seen again', update],
  ['prune', 'remove the entries whose check passed in a run; those that it does not show stay', prune],
  ['explain', 'list what is excused, why, by whom and until when', explain],
] as const;

export function define(named: Command, ...more: [unknown?, ((code: number) => void)?]): void {
  named
    .helpCommand(false)
    .description('known deviations: take in those of a report, remove those that are gone, say what there is')
    .addHelpText('after', examples);
  for (const [name, summary, defined] of actions) defined(named.command(name).summary(summary), ...more);
}

async function runUpdate(file: string, report: string): Promise<void> {
  const { text, added, seen, otherwise } = updateBaseline(file, readReport(report));
  await writeWhole(file, text);
  print(`${file}: ${counted(added.length, 'deviation')} added, ${seen.length} seen again`);
  for (const { scenario, requirement, signature } of added) {
    print(`  + ${requirement} in ${scenario}`, `      ${signature}`);
  }
  for (const { scenario, requirement, place } of otherwise) {
    const where = `${file}:${place.line}`;
    print(`  ! ${requirement} in ${scenario} fails in another way than ${where} says; remove that entry if it is over`);
  }
  if (added.length > 0) print('Write down for each of them: reason, ticket, owner, expires.');
}

async function runPrune(file: string, report: string): Promise<void> {
  const { text, removed } = pruneBaseline(file, readReport(report));
  if (removed.length > 0) await writeWhole(file, text);
  print(`${file}: ${counted(removed.length, 'deviation')} removed`);
  for (const { scenario, requirement } of removed) print(`  - ${requirement} in ${scenario}`);
}

function runExplain(file: string, report: string | undefined): void {
  const today = new Date().toISOString().slice(0, 10);
  const entries = explainBaseline(file, today, report === undefined ? undefined : readReport(report));
  const columns = io().stdout.columns ?? 100;
  for (const one of entries) print(...explainedLines(one, columns), '');
  const open = groupedBy(entries, ({ standing }) => standing);
  open.delete('excused');
  // How many need attention, and why.
  const words = [...open].map(([standing, { length }]) => `${length} ${standing}`);
  print(`${counted(entries.length, 'known deviation')}${words.length === 0 ? '' : `: ${words.join(', ')}`}`);
}

function explainedLines({ entry, requirement, condition, standing, says, seen }: Explained, columns: number): string[] {
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
  const told = Object.entries(lines).flatMap(([label, text]) =>
    text ? wrap(visibleText(text), columns, `  ${label.padEnd(10)}  `) : [],
  );
  return [entry.requirement, ...told];
}

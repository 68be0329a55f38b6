/** `cselab baseline`: keeps the file of known deviations that `cselab check --baseline` goes by. */
import type { Command } from 'commander';
import { command, valued } from './flag.ts';

const file = ['<file>', 'the baseline'] as const;
const ofRun = { '': { report: valued('<file>', 'JSON report of the run').or('reports/latest/report.json') } };
const commands = () => import('../run-baseline.ts');

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
  name: 'update',
  summary: 'add what failed in a run, and note what was seen again',
  takes: [['<file>', 'the baseline; made where there is none']],
  flags: ofRun,
  run: async (path, { report }) => (await commands()).runUpdate(path, report),
});

const prune = command({
  name: 'prune',
  summary: 'remove the entries whose check passed in a run; those that it does not show stay',
  takes: [file],
  flags: ofRun,
  run: async (path, { report }) => (await commands()).runPrune(path, report),
});

const explain = command({
  name: 'explain',
  summary: 'list what is excused, why, by whom and until when',
  takes: [file],
  flags: { '': { report: valued('<file>', 'JSON report of a run, to tell what became of each entry in it') } },
  run: async (path, { report }) => (await commands()).runExplain(path, report),
});

export function addBaselineCommand(program: Command): void {
  const baseline = program
    .command('baseline')
    .helpCommand(false)
    .summary('keep a list of known deviations, so that only new ones are red')
    .description('known deviations: take in those of a report, remove those that are gone, say what there is')
    .addHelpText('after', examples);
  for (const add of [update, prune, explain]) add(baseline).exitOverride();
}

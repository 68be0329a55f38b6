/** `cselab baseline`: keeps the file of known deviations that `cselab check --baseline` goes by. */
import type { Command } from 'commander';

const reportFlag = '--report <file>';
const usualReport = 'reports/latest/report.json';

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

export interface BaselineFlags {
  report?: string;
}

export function addBaselineCommand(program: Command): void {
  const command = program
    .command('baseline')
    .helpCommand(false)
    .summary('keep a list of known deviations, so that only new ones are red')
    .description('known deviations: take in those of a report, remove those that are gone, say what there is')
    .addHelpText('after', examples);
  command
    .command('update')
    .description('add what failed in a run, and note what was seen again')
    .argument('<file>', 'the baseline; made where there is none')
    .option(reportFlag, 'JSON report of the run', usualReport)
    .action(async (file: string, flags: Required<BaselineFlags>) => (await commands()).runUpdate(file, flags.report));
  command
    .command('prune')
    .description('remove the entries whose check passed in a run; those that it does not show stay')
    .argument('<file>', 'the baseline')
    .option(reportFlag, 'JSON report of the run', usualReport)
    .action(async (file: string, flags: Required<BaselineFlags>) => (await commands()).runPrune(file, flags.report));
  command
    .command('explain')
    .description('list what is excused, why, by whom and until when')
    .argument('<file>', 'the baseline')
    .option(reportFlag, 'JSON report of a run, to tell what became of each entry in it')
    .action(async (file: string, flags: BaselineFlags) => (await commands()).runExplain(file, flags.report));
  for (const one of command.commands) one.exitOverride();
}

const commands = () => import('./run-baseline.ts');

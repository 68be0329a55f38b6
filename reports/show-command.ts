/** `cselab show`: the failures of a report, or one of them with everything. */
import type { Command } from 'commander';

export interface ShowFlags {
  color: boolean;
}

const examples = `
An id is a failure's (seven digits, or the first four; the same in every run), a requirement's, or a scenario's.

Examples:
  cselab show report.json                          every failure with its id
  cselab show report.json 3fa91c2                  all about one: clause, expected and actual, transcript, curl
  cselab show report.json ae.create.status
  cselab show report.json documented/ae/registers`;

export function addShowCommand(program: Command): void {
  program
    .command('show')
    .summary('list the failures of a report, or tell all about one')
    .description('list the failures of a report, or tell all about one')
    .argument('<report>', 'JSON report')
    .argument('[id]', 'failure, requirement or scenario')
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .addHelpText('after', examples)
    .action(async (path: string, id: string | undefined, flags: ShowFlags) => {
      const { runShow } = await import('./show/run-show.ts');
      runShow(path, id, flags);
    });
}

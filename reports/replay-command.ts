/** `cselab replay`: sends the scenario of a failure again, and says whether it still fails. */
import { type Command, Option } from 'commander';
import { duration } from './check-command.ts';
import { collect } from './deviation-flag.ts';
import { addSafetyFlags, hideReadOnly, type SafetyFlags } from './safety-flags.ts';
import { addTargetFlags, type TargetFlags } from './target-flags.ts';

export interface ReplayFlags extends TargetFlags, Omit<SafetyFlags, 'readOnly'> {
  timeout?: number;
  secret?: string[];
  color: boolean;
}

const examples = `
The id is a failure's, a requirement's or a scenario's, as cselab show lists them. The target is that of the report; an embedded
CSE is started anew. Keys, certificates and headers are not in a report: give them, or --target, as you did to check.
Exit codes: 0 fixed, 1 still failing or different, 2 usage (the id is not in the report, the scenario exists no longer),
3 target unreachable or harness fault.

Examples:
  cselab replay report.json 3fa91c2
  cselab replay report.json ae.create.status --url http://127.0.0.1:8000
  cselab replay report.json documented/ae/registers --cert ae.cert.pem --key ae.key.pem`;

export function addReplayCommand(program: Command, wholeNumber: (text: string) => number): void {
  const command = program
    .command('replay')
    .summary('send the scenario of a failure again')
    .description('send the scenario of a failure again: FIXED, STILL FAILING or DIFFERENT')
    .argument('<report>', 'JSON report')
    .argument('<id>', 'failure, requirement or scenario');
  addSafetyFlags(addTargetFlags(command, { wholeNumber, duration }), { wholeNumber, duration });
  hideReadOnly(command)
    .optionsGroup('What is told:')
    .addOption(new Option('--timeout <duration>', 'for one request (default: 12s)').argParser(duration))
    .option('--secret <name>', 'environment variable whose value is masked in all that is written; repeatable', collect)
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .addHelpText('after', examples)
    .action(async (path: string, id: string, flags: ReplayFlags) => {
      const { runReplay } = await import('./replay/run-replay.ts');
      await runReplay(path, id, flags);
    });
}

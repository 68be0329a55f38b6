/** `cselab judge`: judges recorded traffic; nothing is sent. */
import { type Command, Option } from 'commander';
import { type Dialect, dialects } from '../scenarios/words.ts';
import { addReportFlags } from './report-flags.ts';
import type { ReportingFlags } from './reporting.ts';

export interface JudgeFlags extends ReportingFlags {
  dialect: Dialect;
  url?: string;
  base?: string;
  cseId?: string;
  spId?: string;
  alone?: true;
  baseline?: string;
  report?: string[];
  secret?: string[];
}

const examples = `
A file holds what others sent to one CSE, and what it answered: lines of JSON as the journal of a CSE of cselab writes them
(JSON.stringify(entry) of each of cse.requests), a list of the same, an HTTP Archive (.har) as browsers and proxies write it, or
a JSON report of cselab itself. Each exchange is judged by every rule that applies, by what the exchanges before it made true.
What cannot be told is not judged: what was under way together with a write that may have to do with it, what has no readable
answer, and, unless the CSE itself wrote all of it down or --alone says so, what others may have changed meanwhile.
Exit codes: 0 no deviation in what was judged, 1 a deviation, 2 usage or a file that cannot be used, 4 nothing was judged.

Examples:
  cselab judge journal.ndjson
  cselab judge --dialect onem2m --alone session.har
  ssh gateway cat traffic.ndjson | cselab judge -
  cselab judge journal.ndjson --report terminal --report html --out my-reports`;

export function addJudgeCommand(program: Command): void {
  const command = program
    .command('judge')
    .summary('judge recorded traffic, and send nothing')
    .description('judge recorded traffic by every rule that applies, and send nothing')
    .argument('<files...>', 'recordings: journal (NDJSON), HTTP Archive, or JSON report; - is stdin')
    .optionsGroup('The CSE:')
    .addOption(
      new Option('--dialect <name>', 'how the CSE speaks: by the interface specification, or by oneM2M TS-0009')
        .choices(dialects)
        .default('documented'),
    )
    .option('--url <url>', 'where it is; exchanges with others are left out (default: the only one in the file)')
    .option('--base <name>', 'name of its CSE base (default: what it answers, else onem2m, or cse-in)')
    .option('--cse-id <id>', 'its CSE identifier (default: what it answers, else mn-cse-1, or id-in)')
    .option('--sp-id <id>', 'its service provider identifier (default: openmtc.org)')
    .option('--alone', 'nobody else changed anything at the CSE meanwhile: what came before counts')
    .optionsGroup('What is told:')
    .option('--baseline <file>', 'known deviations: only what is not in it, and what in it cannot stand, is red');
  addReportFlags(command)
    .option('-v, --verbose', 'every requirement and reason')
    .addHelpText('after', examples)
    .action(async (files: string[], flags: JudgeFlags) => {
      const { runJudge } = await import('./run-judge.ts');
      await runJudge(files, flags);
    });
}

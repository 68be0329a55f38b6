/** `cselab merge`: the reports of a divided run, or of several installations of one target, become one. */
import type { Command } from 'commander';

export interface MergeFlags {
  out?: string;
  report?: string[];
  color: boolean;
  verbose?: true;
}

const examples = `
Shards fit together when one version of cselab judged one target by one plan; what does not fit is refused (exit code 2).
The verdicts are those of a single run, and so is the exit code; a missing shard makes it 4. Parts of cselab mutants --drawn are merged the same way, with the reports that it has.

Examples:
  cselab merge shard-1.json shard-2.json shard-3.json --out report.json
  cselab merge out/shard-*.json --report terminal --report junit=junit.xml --report html=report.html
  cselab merge plain.json mutual.json              two installations of one CSE`;

export function addMergeCommand(program: Command): void {
  program
    .command('merge')
    .summary('make one report of the shards of a run')
    .description('make one report of the shards of a run, judged anew as a whole')
    .argument('<reports...>', 'JSON reports')
    .option('--out <file>', 'where the merged JSON report goes; - is stdout')
    .option(
      '--report <name[=path]>',
      'as for check; without a path beside --out; repeatable (default: terminal)',
      (value: string, list: string[] = []) => [...list, value],
    )
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .option('-v, --verbose', 'every requirement, gap and reason')
    .addHelpText('after', examples)
    .action(async (paths: string[], flags: MergeFlags) => {
      const { runMerge } = await import('./merge/run-merge.ts');
      await runMerge(paths, flags);
    });
}

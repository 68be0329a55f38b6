/** `cselab merge`: the reports of a divided run, or of several installations of one target, become one. */
import { color, report, verbose } from './common-flags.ts';
import { command, type GivenIn, valued } from './flag.ts';

const flags = {
  '': {
    out: valued('<file>', 'where the merged JSON report goes; - is stdout'),
    report,
    color,
    verbose: verbose('every requirement, gap and reason'),
  },
};

export type MergeFlags = GivenIn<typeof flags>;

const examples = `
Shards fit together when one version of cselab judged one target by one plan; what does not fit is refused (exit code 2).
The verdicts are those of a single run, and so is the exit code; a missing shard makes it 4. Parts of cselab mutants --drawn are merged the same way, with the reports that it has.

Examples:
  cselab merge shard-1.json shard-2.json shard-3.json --out report.json
  cselab merge out/shard-*.json --report terminal --report junit=junit.xml --report html=report.html
  cselab merge plain.json mutual.json              two installations of one CSE`;

export const define = command({
  says: 'make one report of the shards of a run, judged anew as a whole',
  takes: [['<reports...>', 'JSON reports']],
  flags,
  examples,
  run: async (paths, given) => (await import('../merge/run-merge.ts')).runMerge(paths, given),
});

/** `cselab compare`: what several targets do, or what changed between two runs of one. */
import { compareFormats, regressions } from '../compare/formats.ts';
import { color } from './common-flags.ts';
import { command, type GivenIn, toggle, valued, wordsOf } from './flag.ts';

const flags = {
  '': {
    format: valued('<name>', 'how it is written (default: by the ending of --out, or text)').of(compareFormats),
    out: valued('<file>', 'where it goes; stdout when absent'),
    all: toggle('rows in which nothing differs as well'),
    runs: toggle('these are two runs of one target'),
    matrix: toggle('these are different targets'),
    failOn: valued('<list>', `exit with 1 for what is ${regressions.join(', ')}`).reading(wordsOf(regressions)),
    color,
  },
};

export type CompareFlags = GivenIn<typeof flags>;

const examples = `
Two reports of one target (address and product are the same) are compared as runs, the earlier one first: what is broken, new,
still failing, fixed and gone. Other reports become a matrix of requirements by targets. --runs and --matrix insist on one of them.
Exit codes: 0 compared, 1 with --fail-on where something of that kind was found, 2 usage or a report that cannot be read.

Examples:
  cselab compare yesterday.json today.json --fail-on broken,new
  cselab compare openmtc.json acme.json tinyiot.json mobius.json --out matrix.html
  cselab compare main.json branch.json --format markdown >> "$GITHUB_STEP_SUMMARY"`;

export const addCompareCommand = command({
  name: 'compare',
  summary: 'put reports beside each other: several targets, or two runs',
  says: 'put the reports of several targets, or two runs of one target, beside each other',
  takes: [['<reports...>', 'JSON reports']],
  flags,
  examples,
  run: async (paths, given) => (await import('../compare/run-compare.ts')).runCompare(paths, given),
});

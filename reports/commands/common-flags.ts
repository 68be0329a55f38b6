/** Flags that several commands take. */
import type { Command } from 'commander';
import { atLeastOne, duration, flag, wholeNumber } from './flag.ts';

export const color = flag('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same');
export const json = flag('--json', 'as JSON');
export const verbose = (says: string) => flag('-v, --verbose', says);
export const timeout = flag('--timeout <duration>', 'for one request (default: 12s)').reading(duration);
export const secret = flag(
  '--secret <name>',
  'environment variable whose value is masked in all that is written; repeatable',
).repeatable();
export const report = flag(
  '--report <name[=path]>',
  'as for check; without a path beside --out; repeatable (default: terminal)',
).repeatable();
export const out = flag('--out <dir>', 'where reports without a path go').or('reports/latest');
export const baseline = flag(
  '--baseline <file>',
  'known deviations: only what is not in it, and what in it cannot stand, is red',
);
export const restartCommand = flag(
  '--restart-command <command>',
  'run by the shell when the target is dead and stays so; then the run goes on',
);

/** What every command that judges a run takes about its reports. */
export const reportFlags = {
  report: report.saying(
    'terminal, html, json, junit, tap, ctrf, ndjson, markdown, github or badge; - is stdout; repeatable (default: terminal)',
  ),
  out,
  secret,
  color,
};

/** Deviations of the reference CSE by their ids; `--fault` is what `--deviation` was called before, and is taken for one version. */
export const deviationFlags = (says: string) => ({
  deviation: flag('--deviation <id>', says).repeatable(),
  fault: flag('--fault <id>', '').repeatable().hidden(),
});

/** Before the action: the values of `--fault` are those of `--deviation`, and a hint is given. */
export function takeFormerFault(command: Command): void {
  const { fault, deviation = [] } = command.opts<{ fault?: string[]; deviation?: string[] }>();
  if (fault === undefined) return;
  console.error('cselab: --fault is called --deviation now, and goes with the next version');
  command.setOptionValue('deviation', [...fault, ...deviation]);
}

/** How generated sequences are made and judged. */
export const sequenceFlags = {
  runs: flag('--runs <number>', 'sequences that are tried (default: 200)').reading(wholeNumber),
  seed: flag('--seed <number>', 'what the sequences are made from (default: a random number, which is told)').reading(
    wholeNumber,
  ),
  path: flag('--path <path>', 'only the sequence at this path of the seed'),
  maxTime: flag('--max-time <duration>', 'after which no new sequence begins, such as 60s').reading(duration),
};

/** What of them is judged, in words of the command, and at what. */
export const searchFlags = (focus: string, level: string, usual: 'documented' | 'gap') => ({
  focus: flag('--focus <ids...>', focus),
  except: flag('--except <ids...>', 'not these, or prefixes of such: what is known, so that it goes on past that'),
  level: flag('--level <level>', level).of(['documented', 'gap']).or(usual),
  ...deviationFlags('the reference CSE is wrong on purpose in this way; repeatable'),
  jobs: flag('--jobs <number>', 'sequences at the same time (default: 8; in process 1)').reading(atLeastOne),
});

/** What a search tells; `-v` tells more of it. */
export const toldFlags = (more: string) => ({
  'What is told:': {
    out: out.saying('where the directory of counterexamples is written'),
    json,
    color,
    verbose: verbose(more),
  },
});

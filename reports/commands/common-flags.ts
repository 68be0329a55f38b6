/** Flags that several commands take. */
import type { Command } from 'commander';
import { atLeastOne, choiceOr, duration, list, off, read, several, text, textOr, wholeNumber, yes } from './flag.ts';

export const color = off('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same');
export const json = yes('--json', 'as JSON');
export const verbose = (says: string) => yes('-v, --verbose', says);
export const timeout = read('--timeout <duration>', 'for one request (default: 12s)', duration);
export const secret = list(
  '--secret <name>',
  'environment variable whose value is masked in all that is written; repeatable',
);
export const report = list(
  '--report <name[=path]>',
  'as for check; without a path beside --out; repeatable (default: terminal)',
);
export const out = textOr('--out <dir>', 'where reports without a path go', 'reports/latest');
export const baseline = text(
  '--baseline <file>',
  'known deviations: only what is not in it, and what in it cannot stand, is red',
);
export const restartCommand = text(
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
  deviation: list('--deviation <id>', says),
  fault: list('--fault <id>', '').hidden(),
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
  runs: read('--runs <number>', 'sequences that are tried (default: 200)', wholeNumber),
  seed: read(
    '--seed <number>',
    'what the sequences are made from (default: a random number, which is told)',
    wholeNumber,
  ),
  path: text('--path <path>', 'only the sequence at this path of the seed'),
  maxTime: read('--max-time <duration>', 'after which no new sequence begins, such as 60s', duration),
};

/** What of them is judged, in words of the command, and at what. */
export const searchFlags = (focus: string, level: string, usual: 'documented' | 'gap') => ({
  focus: several('--focus <ids...>', focus),
  except: several('--except <ids...>', 'not these, or prefixes of such: what is known, so that it goes on past that'),
  level: choiceOr('--level <level>', level, ['documented', 'gap'], usual),
  ...deviationFlags('the reference CSE is wrong on purpose in this way; repeatable'),
  jobs: read('--jobs <number>', 'sequences at the same time (default: 8; in process 1)', atLeastOne),
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

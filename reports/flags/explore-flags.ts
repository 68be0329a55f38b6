/** The flags of `cselab explore`. */
import { number, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { baseline, outputFlags, restartCommand, searchFlags, sequenceFlags, timeout } from './common-flags.ts';
import { writingFlags } from './safety-flags.ts';
import { targetFlags } from './target-flags.ts';

export const exploreFlags = {
  ...targetFlags,
  ...writingFlags({}),
  'The sequences:': {
    pair: toggle('the target together with its backend: requests go to both, and through each to the other'),
    ...sequenceFlags,
    ...searchFlags(
      'only these requirements, or those with these prefixes; gaps too, if named',
      'what is checked: the specification, or also what the reference CSE does in its gaps',
      'documented',
    ),
    baseline: baseline.withHelp('file of known deviations, as of check: its entries are not checked'),
    processes: number('that search at the same time, each with a reference CSE of its own (default: 1)'),
    concurrency: number(
      'so many originators at the same time; some order of their requests has to explain the answers',
    ),
    wire: toggle('malformed and odd HTTP, byte by byte, instead of sequences (default: 500 requests, 5s for each)'),
    robustness: valued(
      '[numbers...]',
      'the robustness cases of `cselab list --robustness` instead, or those of these numbers and sections, such as R-3',
    ),
    timeout,
    restartCommand,
  },
  ...outputFlags('how often each requirement was checked'),
};

export type ExploreFlags = ValuesOf<typeof exploreFlags>;

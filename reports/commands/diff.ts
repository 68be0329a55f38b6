/** `cselab diff`: the same generated sequences of requests at two targets, and where they part. */
import type { Command } from 'commander';
import type { Given } from '../diff/sides.ts';
import { restartCommand, searchFlags, sequenceFlags, takeFormerFault, timeout, toldFlags } from './common-flags.ts';
import { command, type GivenIn, positive } from './flag.ts';
import { writingFlags } from './safety-flags.ts';
import { targetFlags } from './target-flags.ts';

/** What may be said of each target. */
const ofTargets = { ...targetFlags, ...writingFlags({ restartCommand }) };
const flags = {
  ...ofTargets,
  'The sequences:': {
    ...sequenceFlags,
    maxDifferences: positive('different differences after which it ends (default: 5)'),
    ...searchFlags(
      'only what these requirements, or prefixes of such, decide or leave open',
      'which differences are told: those that a requirement decides, or gaps as well',
      'gap',
    ),
    timeout,
  },
  ...toldFlags('everything that may differ without being told, and how often each requirement was judged'),
};

type OfTargets = keyof GivenIn<typeof ofTargets>;

/** What is said of a target, or may be said of each, comes as a list in the order of the command line. */
export type DiffFlags = Omit<GivenIn<typeof flags>, Exclude<OfTargets, 'readOnly' | 'ledger'>> & {
  given: readonly Given[];
};

const examples = `
The targets are called A and B, in the order in which --url, --target and --in-process name them; where one is named alone, B is the
reference CSE in this process. A --url right after a --target whose file has no URL belongs to it. What is said of targets holds for
both if it is given once; given twice, the first is for A and the second for B; --header is for both. --deviation is for the first of
them that is in process.

A sequence creates, reads, updates, removes and discovers resources below names of its own, at both. Each kind of difference is made
small and told once, with the requirement that one of them does not keep, or the gap of the specification that permits both. What
differs without being told, such as identifiers and times, is listed by --verbose.
A target that dies is waited for as by check; which of them died, and of what, is a difference of its own.
Exit codes: 0 no difference, 1 a difference, 2 usage, 3 a target is unreachable or dead, 4 nothing was compared, 130 interrupted; what was
found until then is told and written.

Examples:
  cselab diff --url http://127.0.0.1:8000 --url http://127.0.0.1:9000
  cselab diff --target a.yaml --target b.yaml --max-time 60s
  cselab diff --in-process --url http://127.0.0.1:8000      the reference CSE, and a gateway
  cselab diff --target acme --url http://127.0.0.1:8080 --dialect documented
  cselab diff --url http://127.0.0.1:8000 --level documented   only what a requirement decides
  cselab diff --in-process --deviation container.cni.one-behind    how a CSE parts from ours that is wrong on purpose
  cselab diff --in-process --url http://127.0.0.1:8000 --seed 7 --path 1:0:4`;

export function addDiffCommand(program: Command): void {
  const given: Given[] = [];
  const diff = command({
    name: 'diff',
    summary: 'find where two CSEs answer the same requests differently',
    says: 'send the same generated sequences to two targets, and make every way in which they part small',
    flags,
    examples,
    before: takeFormerFault,
    run: async (said) => (await import('../diff/run-diff.ts')).runDiff({ ...said, given }),
  })(program);
  const names = new Set(Object.values(ofTargets).flatMap((group) => Object.keys(group)));
  for (const option of diff.options) {
    const name = option.attributeName();
    if (!names.has(name)) continue;
    // Commander keeps the last of each only. Headers are collected: each time the last of them is new.
    diff.on(`option:${option.name()}`, (text: unknown) => {
      const value: unknown = name === 'header' ? text : diff.getOptionValue(name);
      given.push({ name, value });
    });
  }
}

/** `cselab diff`: sends the same generated sequences to two targets, and reports where they differ. */

import type { Command } from 'commander';
import { diff } from '../../scenarios/generators/differential/diff.ts';
import type { DiffEvent, DiffOptions, DiffResult, DiffSide } from '../../scenarios/index.ts';
import { readTargetFile, targetFilePath } from '../../scenarios/results.ts';
import { type Dialect, defined, UsageError } from '../../scenarios/words.ts';
import { command, positive, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { diffDocument, effortText, targetName } from '../diff/diff-document.ts';
import { type OrderedFlag, type SideFlags, sidesOf } from '../diff/sides.ts';
import { runSearch, sequenceOptions } from '../explore/run-exploration.ts';
import { counted } from '../facts/wording.ts';
import { outputFlags, restartCommand, searchFlags, sequenceFlags, timeout } from '../flags/common-flags.ts';
import { maskedTarget, maskOutput } from '../flags/masked-streams.ts';
import { restartOf, safetyOf, writingFlags } from '../flags/safety-flags.ts';
import { targetFlags } from '../flags/target-flags.ts';
import type { ProgressLines } from '../writing/progress.ts';

/** Flags for each target. */
const perTarget = { ...targetFlags, ...writingFlags({ restartCommand }) };
const flags = {
  ...perTarget,
  'The sequences:': {
    ...sequenceFlags,
    maxDifferences: positive('different differences after which it ends (default: 5)'),
    scenarios: valued(
      '<ids...>',
      'which scenarios of check both run as well: all, none, or these and no sequence (default: all by two wires, else none)',
    ),
    ...searchFlags(
      'only what these requirements, or prefixes of such, decide or leave open',
      'which differences are reported: those that a requirement decides, or gaps as well',
      'gap',
    ),
    timeout,
  },
  ...outputFlags('all permitted differences, and how often each requirement was checked'),
};

type PerTarget = keyof ValuesOf<typeof perTarget>;

/** Flags of targets come as a list in the order of the command line. */
type DiffFlags = Omit<ValuesOf<typeof flags>, Exclude<PerTarget, 'readOnly' | 'ledger'>> & {
  ordered: readonly OrderedFlag[];
};

const examples = `
The targets are called A and B, in the order in which --url, --target and --in-process name them; where one is named alone, B is the
reference CSE in this process. A --url right after a --target whose file has no URL belongs to it. What is said of targets holds for
both if it is given once; given twice, the first is for A and the second for B; --header is for both. --deviation is for the first of
them that is in process.

A sequence creates, reads, updates, removes and discovers resources below its own names, at both. Each kind of difference is shrunk and
reported once, with the requirement that one of them violates, or the gap of the specification that permits both. Permitted differences,
such as identifiers and times, are listed by --verbose.
One CSE can be both, by different wires: each target has its own names below its CSE base. Both run all scenarios of check as well; the
answers to each step are compared, and what each leaves, which is read back, that of B by the wire of A, too. What only a wire says, such
as the status and most headers of HTTP, is not compared, and notifications are not.
A target that dies is waited for as by check; which of them died, and of what, is a difference, too.
Exit codes: 0 no difference, 1 a difference, 2 usage, 3 a target is unreachable or dead, 4 nothing was compared, 130 interrupted; results
so far are reported and written.

Examples:
  cselab diff --url http://127.0.0.1:8000 --url http://127.0.0.1:9000
  cselab diff --target a.yaml --target b.yaml --max-time 60s
  cselab diff --in-process --url http://127.0.0.1:8000      the reference CSE, and a gateway
  cselab diff --target acme --url http://127.0.0.1:8080 --dialect documented
  cselab diff --url http://127.0.0.1:8000 --level documented   only what a requirement decides
  cselab diff --in-process --deviation container.cni.one-behind    how a deviating CSE differs from ours
  cselab diff --dialect onem2m --url http://127.0.0.1:8080 --url mqtt://127.0.0.1    one CSE by two wires
  cselab diff --url http://127.0.0.1:8000 --url http://127.0.0.1:9000 --scenarios documented/container
  cselab diff --in-process --url http://127.0.0.1:8000 --seed 7 --path 1:0:4`;

export function define(parent: Command, ...more: [unknown?, ((code: number) => void)?]): void {
  const ordered: OrderedFlag[] = [];
  const diff = command({
    help: 'send the same generated sequences to two targets, and shrink each difference',
    flags,
    examples,
    run: (values) => runDiff({ ...values, ordered }),
  })(parent, ...more);
  const names = new Set(Object.values(perTarget).flatMap((group) => Object.keys(group)));
  for (const option of diff.options) {
    const name = option.attributeName();
    if (!names.has(name)) continue;
    // Commander keeps only the last of each. Headers are collected: each time the last is new.
    diff.on(`option:${option.name()}`, (text: unknown) => {
      const value: unknown = name === 'header' ? text : diff.getOptionValue(name);
      ordered.push({ name, value });
    });
  }
}

const diffProgress: ProgressLines<DiffEvent> = {
  lines: {
    'diff started': ({ targets, seed }) =>
      `comparing ${targetName(targets.A)} with ${targetName(targets.B)}, seed ${seed}`,
    'difference found': ({ part, about, path }) =>
      `${part} differs (${about}) in sequence ${path}; looking for a shorter one`,
  },
  transient: {
    searched: ({ compared, ...tried }, planned) =>
      `${effortText(tried)} of ${planned}, ${counted(compared, 'answer')} of each`,
    shrunk: ({ operations, attempts }) =>
      `${counted(operations, 'operation')} left after ${counted(attempts, 'attempt')}`,
  },
};

function runDiff(flags: DiffFlags): Promise<number> {
  const redactor = maskOutput([]);
  const options = optionsOf(flags, redactor);
  return runSearch(flags, redactor, {
    search: (control) => diff({ ...options, ...control }),
    progress: diffProgress,
    filesOf: scenarioFiles,
    documentOf: diffDocument,
    jsonOf(result, files) {
      const differences = result.differences.map((one, at) => ({ ...one, ...defined({ file: files[at] }) }));
      return { ...result, differences };
    },
    columns: 80,
  });
}

type Redactor = ReturnType<typeof maskOutput>;

function optionsOf(flags: DiffFlags, redactor: Redactor): DiffOptions {
  const { maxDifferences, focus, except, level, jobs, ordered, scenarios, deviation = [] } = flags;
  const search = sequenceOptions('diff', flags);
  const hasUrl = (target: string) => readTargetFile(targetFilePath(target)).choice.url !== undefined;
  const [a, b] = sidesOf(ordered, { hasUrl, deviations: deviation });
  const [A, B] = [chosenSide(a, flags, redactor), chosenSide(b, flags, redactor)];
  const [smallest, ...others] = [A, B].flatMap((side) => side.jobs ?? []);
  const [word] = scenarios ?? [];
  const isWord = scenarios?.length === 1 && (word === 'all' || word === 'none');
  if (A.dialect !== B.dialect) throw new UsageError('both targets speak one dialect: give --dialect once');
  return {
    targets: [A.side, B.side],
    dialect: A.dialect,
    ...search,
    ...defined({ maxDifferences, focus, except, level, scenarios: isWord ? word : scenarios }),
    ...defined({ jobs: jobs ?? (smallest === undefined ? undefined : Math.min(smallest, ...others)) }),
  };
}

function chosenSide(
  { deviations, ledger, restartCommand, ...flags }: SideFlags,
  { timeout: requestTimeout }: DiffFlags,
  redactor: Redactor,
): { readonly side: DiffSide; readonly dialect: Dialect; readonly jobs?: number } {
  const chosen = maskedTarget({ ...flags, ...defined({ timeout: requestTimeout }) }, redactor);
  const { target, dialect, jobs, timeout } = chosen;
  const isOwn = target.kind === 'in-process';
  const withDeviations = isOwn && deviations !== undefined ? { ...target, deviations } : target;
  const safety = safetyOf(isOwn ? {} : defined({ ledger }), target);
  return {
    dialect,
    side: { target: withDeviations, safety, ...defined({ timeout }), ...restartOf({ restartCommand }) },
    ...defined({ jobs }),
  };
}

/** Named by the requirement that fails, and where; numbered if there are several. */
function scenarioFiles({ differences }: DiffResult) {
  const names = new Map<string, number>();
  return differences.map(({ scenario, requirement, right }) => {
    if (scenario === undefined || requirement === undefined) return undefined;
    const name = `${requirement.id}.at-${right === 'A' ? 'B' : right === 'B' ? 'A' : 'both'}`;
    const times = (names.get(name) ?? 0) + 1;
    names.set(name, times);
    return { name: `${name}${times === 1 ? '' : `.${times}`}.yaml`, text: scenario };
  });
}

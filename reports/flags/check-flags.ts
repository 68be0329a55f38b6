/** The flags of `cselab check`, and the options that they mean. */
import type { CheckOptions, TargetChoice } from '../../scenarios/index.ts';
import { ownRuleFiles, rulesCalled } from '../../scenarios/results.ts';
import { defined, type Failure, failures, UsageError } from '../../scenarios/words.ts';
import {
  type FlagValues,
  negated,
  portNumber,
  positive,
  time,
  toggle,
  type ValuesOf,
  valued,
  wordsOf,
  written,
} from '../../sim/command-line/flag.ts';
import { keepUpload } from '../asking/at-terminal.ts';
import { say } from '../writing/output-file.ts';
import { givenOf, mustGoWith } from './chosen-target.ts';
import { baseline, reportFlags, restartCommand, shardChoice, timeout, verbose } from './common-flags.ts';
import { maskedTarget, type maskOutput } from './masked-streams.ts';
import { restartOf, safetyFlags, safetyOf } from './safety-flags.ts';
import { containerFlags, type TargetFlags, targetFlags } from './target-flags.ts';

export const asCseFlags = {
  asCse: valued('<port>', 'be the CSE of applications at this port, 0 for a free one, and check them').reading(
    portNumber,
  ),
  asCseInterface: valued('<address>', 'where to listen for that (default: 127.0.0.1)'),
  duration: time('with --as-cse: for how long (default: until Ctrl-C, or the end of the command after --)'),
  requests: positive('with --as-cse: end after so many requests'),
};

/** All except `--plan`: plans consist of these. */
export const checkFlags = {
  ...targetFlags,
  'A container as the target:': containerFlags,
  ...safetyFlags,
  'What is checked:': {
    level: valued('<level>', 'what counts with --dialect documented: that specification, or the standard too')
      .of(['documented', 'standard'])
      .or('documented'),
    tag: valued('<tag>', 'only scenarios with this tag; repeatable').repeatable(),
    excludeTag: valued('<tag>', 'no scenarios with this tag; repeatable').repeatable(),
    shard: valued('<part>', 'only a part of the plan, such as 1/3; auto: as the index of a Kubernetes Job says'),
    durations: valued('<report>', 'JSON report whose durations balance the parts'),
    baseline,
    scenarios: valued('<file>', 'scenarios of your own, run beside all others; repeatable').repeatable(),
    rules: valued(
      '<file>',
      'requirements and rules of your own, checked as well; of a package: @acme/profile/rules.yaml',
    )
      .repeatable()
      .not('check scenarios alone, without rules and without a last look at what was created'),
    minEvidence: positive('checks that have to pass before a requirement counts as satisfied'),
    profile: valued('<name>', 'what the target must have: a profile of TS-0025 (in, gateway), or a file with one'),
    failOn: valued('<list>', `what fails a run, of ${failures.join(', ')}; or none`)
      .reading<Failure[]>((text) => (text.trim() === 'none' ? [] : wordsOf(failures)(text)))
      .or(['violations', 'intermittent'], 'violations,intermittent'),
  },
  'The run:': {
    list: valued('[format]', 'list the chosen scenarios, as text or =json, and send nothing'),
    dryRun: toggle('list the requests that would be sent, and send nothing'),
    jobs: positive('scenarios at the same time (default: 8)'),
    timeout,
    maxFail: positive('stop after so many failed scenarios'),
    x: toggle('the same as --max-fail 1'),
    watch: toggle('keep running, and rerun what a changed scenario, requirement, target or baseline file affects'),
    ui: valued('[port]', 'choose, run, change and compare on a page at 127.0.0.1 (default: a free port)').reading(
      portNumber,
    ),
    answers: valued('<file>', 'earlier answers of people, who are not asked again (a run writes answers.yaml)'),
    restartCommand,
    again: negated('do not run once more, alone, what failed'),
  },
  'Applications instead of a CSE:': asCseFlags,
  'Output:': {
    ...reportFlags,
    package: valued('<file>', 'all messages and verdicts in one file, for cselab verify'),
    signKey: valued('<file>', 'your Ed25519 key in PEM, which signs the package'),
    verbose: verbose('every requirement, gap and reason'),
  },
};

export type CheckFlags = ValuesOf<typeof checkFlags>;

/** The options of a run. Reads the target file each time. */
export function optionsOf(
  ids: readonly string[],
  flags: CheckFlags,
  redactor: ReturnType<typeof maskOutput>,
): CheckOptions {
  const { target, dialect, jobs, timeout, inherited } = maskedTarget(flags, redactor);
  const choice = { ids, tags: flags.tag ?? [], excludeTags: flags.excludeTag ?? [], dialect, ...shardChoice(flags) };
  const { again, rules, level, failOn, minEvidence, baseline, profile, answers } = flags;
  return {
    ...choice,
    target: announceBackend(target),
    safety: safetyOf(flags, target),
    secrets: redactor.secrets,
    ...{ again, level, failOn, rules: rules !== false },
    moreFiles: [...(inherited?.scenarios ?? []), ...(flags.scenarios ?? [])],
    ownRules: rules === false ? [] : ownRuleFiles([...(inherited?.rules ?? []), ...rulesCalled(rules ?? [])]),
    ...defined({ jobs, timeout, minEvidence, profile, answers, maxFail: flags.x ? 1 : flags.maxFail }),
    keep: (upload) => keepUpload(upload, flags.out),
    ...restartOf(flags),
    ...(baseline !== undefined && { baseline: { file: baseline } }),
  };
}

/** Announces the simulated backend at once: many gateways register only when they start. */
function announceBackend(target: TargetChoice): TargetChoice {
  if (target.kind !== 'url' || target.asBackend === undefined) return target;
  const onListening = (url: string) => say(`listening as the backend at ${url}; restart your gateway now`);
  return { ...target, asBackend: { ...target.asBackend, onListening } };
}

export type AsCseFlags = FlagValues<typeof asCseFlags> &
  Pick<TargetFlags, 'dialect' | 'release' | 'base' | 'cseId' | 'spId' | 'admin'> &
  FlagValues<typeof reportFlags> & {
    readonly baseline?: string;
    readonly failOn: readonly Failure[];
    readonly minEvidence?: number;
    readonly verbose?: true;
  };

/** The port for applications; undefined if a CSE is checked. Throws a UsageError for flags that do not go together. */
export function asCsePort(flags: FlagValues<typeof asCseFlags>): number | undefined {
  const { asCse: port } = flags;
  if (port === undefined) {
    mustGoWith('--as-cse', givenOf(flags, Object.keys(asCseFlags)));
    return undefined;
  }
  const [other] = givenOf(flags, cseOnlyFlags);
  if (other !== undefined) throw new UsageError(`--as-cse and ${written(other)} exclude each other`);
  return port;
}

/** Flags about a CSE that is checked. */
const cseOnlyFlags = 'url target inProcess container asBackend watch list dryRun shard tag package signKey'.split(' ');

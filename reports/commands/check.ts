/** `cselab check`: judges a target and hands the events to the reporters. */
import { type Failure, failures } from '../../scenarios/words.ts';
import { baseline, reportFlags, restartCommand, timeout, verbose } from './common-flags.ts';
import { command, type GivenIn, negated, positive, toggle, valued, wordsOf } from './flag.ts';
import { safetyFlags } from './safety-flags.ts';
import { containerFlags, targetFlags } from './target-flags.ts';

const flags = {
  ...targetFlags,
  'A container as the target:': containerFlags,
  ...safetyFlags,
  'What is judged:': {
    level: valued('<level>', 'what counts with --dialect documented: that specification, or the standard too')
      .of(['documented', 'standard'])
      .or('documented'),
    tag: valued('<tag>', 'only scenarios with this tag; repeatable').repeatable(),
    excludeTag: valued('<tag>', 'no scenarios with this tag; repeatable').repeatable(),
    shard: valued('<part>', 'only a part of the plan, such as 1/3; auto: as the index of a Kubernetes Job says'),
    durations: valued('<report>', 'JSON report by whose durations the parts are made equal'),
    baseline,
    minEvidence: positive('checks that have to pass before a requirement counts as satisfied'),
    failOn: valued('<list>', `what makes a run red, of ${failures.join(', ')}; or none`)
      .reading<Failure[]>((text) => (text.trim() === 'none' ? [] : wordsOf(failures)(text)))
      .or(['violations', 'intermittent'], 'violations,intermittent'),
  },
  'How it goes on:': {
    list: valued('[format]', 'list the chosen scenarios, as text or =json, and send nothing'),
    dryRun: toggle('list the requests that would be sent, and send nothing'),
    jobs: positive('scenarios at the same time (default: 8)'),
    timeout,
    maxFail: positive('stop after so many failed scenarios'),
    x: toggle('the same as --max-fail 1'),
    watch: toggle('go on, and run again what a changed scenario, requirement, target or baseline file touches'),
    restartCommand,
    rules: negated('judge by the checks of scenarios alone, and do not look at what was made before it is removed'),
    again: negated('do not run once more, alone, what failed'),
  },
  'What is told:': { ...reportFlags, verbose: verbose('every requirement, gap and reason') },
};

export type CheckFlags = GivenIn<typeof flags>;

const examples = `
Ids are scenarios (documented/ae/…), requirements (ae.create.status), prefixes of either, or scenario files.
Exit codes: 0 no deviation in what was checked, 1 a requirement of the dialect is violated, 2 usage or a file that cannot be used,
3 target unreachable or harness fault, 4 inconclusive (nothing that counts, or not all, could be judged), 130 interrupted.
The passphrase of a key is taken from the variable CSELAB_PASSPHRASE, or asked for at the terminal.

Examples:
  cselab check                                     judge the embedded reference CSE
  cselab check --url http://127.0.0.1:8000         judge a CSE that runs somewhere
  cselab check --target acme --url http://127.0.0.1:8080   one of a product that cselab knows
  cselab check --url https://gw:8000 --cacert ca-chain.cert.pem --cert ae.cert.pem --key ae.key.pem --require-cert
  cselab check --container --target acme           start its image, judge it, stop it
  cselab check --container my-cse:1.2 --port 8080 --dialect onem2m --admin CAdmin
  cselab check registration --url http://gw:8000 --as-backend 18000   judge how it registers
  cselab check --dialect onem2m                    judge it by the standard's own binding
  cselab check ae discovery.label -v               only these requirements, with all details
  cselab check my-scenario.yaml --in-process       a scenario file of your own, without a socket
  cselab check my-scenario.yaml --watch            run it again whenever it changes
  cselab check --url http://gw:8000 --baseline known.yaml   red for new deviations only
  cselab check --report terminal --report junit=out/junit.xml --report html`;

export const define = command({
  says: 'replay the documented interface against a CSE and judge every requirement',
  takes: [['[ids...]', 'what to check; everything when there is none']],
  flags,
  examples,
  run: async (ids, given) => (await import('../run-check.ts')).runCheck(ids, given),
});

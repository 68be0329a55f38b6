/** `cselab mutants`: shows that the harness would notice, fault by fault. */
import { dialects } from '../../scenarios/words.ts';
import { color, deviationFlags, json, out, report, takeFormerFault, verbose } from './common-flags.ts';
import { command, type GivenIn, number, time, toggle, valued } from './flag.ts';

const flags = {
  '': {
    ...deviationFlags('only this fault; repeatable'),
    wide: toggle('run every scenario of the dialect against each fault'),
    others: number('and so many other scenario files, dealt by the id of each fault'),
    sample: number('only so many faults, the same ones each time'),
    generators: toggle(
      'look for the faults by generated sequences alone; without ids for those that only sequences show',
    ),
    drawn: number('draw so many deviations, and judge them by every scenario of the dialect'),
    inPairs: toggle('judge two deviations together, each of which is active alone, with --drawn'),
    tls: toggle('draw, with --drawn, for a gateway over TLS that demands a client certificate, and judge it there'),
    pair: toggle('draw, with --drawn, for a gateway that is registered at a backend, and judge it there'),
    shard: valued('<part>', 'only a part of what is drawn, such as 1/3, or auto in an indexed Kubernetes Job'),
    sound: number('draw so many ways to answer otherwise that everybody has to take: none may fail'),
    dialect: valued('<name>', 'of the CSE, with --drawn or --sound (default: documented)').of(dialects),
    runs: number(
      'sequences for each fault with --generators (default: 2000), or for what no scenario sees with --drawn (default: 200)',
    ),
    seed: number(
      'what sequences are made from, and deviations drawn by, with --generators, --drawn or --sound (default: 1)',
    ),
    jobs: number('worker processes (default: two for each processor)'),
    timeout: time('for one fault (default: 2m, with --wide 5m)'),
    report: report.saying('terminal, json or html; - is stdout; repeatable (default: terminal)'),
    out,
    json: json.saying('JSON on stdout; the same as --report json=-'),
    list: toggle('list the chosen faults and run nothing'),
    color,
    verbose: verbose('every fault, and every requirement that none breaks'),
  },
};

export type MutantsFlags = GivenIn<typeof flags>;

const examples = `
Each fault of the reference CSE is one way to break one requirement. It is killed when a check fails, named when the requirement
that it breaks is among those found violated, noisy when others are that it has nothing to do with.
Against each fault the scenario files are run that check what it breaks. What it disturbs elsewhere is seen with --wide only (every
scenario of the dialect: seconds for each fault), or in part with --others (some files more, others for each fault).
Ids are requirements or what their ids begin with; --deviation takes ids of faults or what they begin with.
With --generators no scenario is run: generated sequences look for the faults, and each counterexample is run as a scenario by itself,
on the CSE with the fault and on the sound one. Exit codes are then 0 at least 90 % found, the median in at most 4 requests, else 1.
With --drawn deviations are drawn by a seed from operators and the resource tables of the simulator, never from requirements. Each one
is proved active by a witness, a sequence of requests that the deviating CSE answers otherwise, and then judged by every scenario; what no
scenario sees by generated sequences. It is identified when the first violation names what deviates (its attribute; else its operation,
status or list); a violation that names nothing of it is collateral. What was killed goes on where it stopped: by the same command, from
a file in --out. Each --shard judges its part; cselab merge makes one report of their JSON.
With --sound nothing is wrong, so that whatever is found is a false alarm.
Exit codes: 0 every fault is killed and named, 1 one is not, 2 usage, 130 interrupted.

Examples:
  cselab mutants                          every fault, by the files that check what it breaks
  cselab mutants container.create -v      those that break a requirement called so
  cselab mutants --deviation ae.aei.missing --wide   one fault, by every scenario of its dialect
  cselab mutants --drawn 100 --seed 7     a score that nobody can tune
  cselab mutants --drawn 100 --shard 1/3 --report json=part-1.json
  cselab mutants --drawn 50 --tls         what goes wrong with certificates
  cselab mutants --generators             what generated sequences find alone
  cselab mutants --report terminal --report html --report json=out/kill-table.json`;

export const define = command({
  says: 'run the harness against every fault that the reference CSE can have, and print what it notices',
  takes: [['[ids...]', 'requirements whose faults are judged; all when there is none']],
  flags,
  examples,
  before: takeFormerFault,
  run: async (ids, given) => (await import('../mutants/run-mutants.ts')).runMutants(ids, given),
});

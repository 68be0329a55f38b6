/** `cselab mutants`: measures which deviations the harness detects. */

import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type {
  DrawnOptions,
  GeneratedOptions,
  GeneratedTable,
  KillTable,
  MutantsOptions,
  Progress,
} from '../../scenarios/index.ts';
import { drawn } from '../../scenarios/mutants/drawn.ts';
import { chosenDeviations, deviationsToFind, generated, mutants } from '../../scenarios/mutants/mutants.ts';
import { defined, dialects, exitOf, exitOfGenerated, UsageError } from '../../scenarios/words.ts';
import { command, number, time, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { color, json, out, refuse, report, shardChoice, verbose } from '../flags/common-flags.ts';
import { drawnReport, generatedReport, killReport, reportsOf, writeAll } from '../mutants/reports.ts';
import { print, say, writeWhole } from '../writing/output-file.ts';
import { follow, interruptible } from '../writing/progress.ts';

const wires = ['mqtt', 'ws', 'coap'] as const;

const flags = {
  '': {
    deviation: valued('<id>', 'only this deviation; repeatable').repeatable(),
    wide: toggle('run every scenario of the dialect against each deviation'),
    others: number('and so many other scenario files, dealt by the id of each deviation'),
    sample: number('only so many deviations, the same ones each time'),
    generators: toggle(
      'look for the deviations by generated sequences alone; without ids for those that only sequences show',
    ),
    drawn: number('draw so many deviations, and run every scenario of the dialect against each'),
    inPairs: toggle('with --drawn: two deviations together, each of which is active alone'),
    tls: toggle('with --drawn: for a gateway over TLS that demands a client certificate'),
    pair: toggle('with --drawn: for a gateway that is registered at a backend'),
    over: valued('<wire>', 'with --drawn or --sound: for a CSE that is reached by this wire').of(wires),
    differs: valued('<wire>', 'with --drawn: deviations over this wire only, found by a comparison with HTTP').of(
      wires,
    ),
    shard: valued('<part>', 'only a part of what is drawn, such as 1/3, or auto in an indexed Kubernetes Job'),
    sound: number('draw so many permitted variations: none may fail'),
    dialect: valued('<name>', 'of the CSE, with --drawn or --sound (default: documented)').of(dialects),
    runs: number(
      'sequences for each deviation with --generators (default: 2000), or for those that no scenario sees with --drawn (default: 200)',
    ),
    seed: number(
      'what sequences are made from, and deviations drawn by, with --generators, --drawn or --sound (default: 1)',
    ),
    jobs: number('worker processes (default: two for each processor)'),
    timeout: time('for one deviation (default: 2m, with --wide 5m)'),
    report: report.withHelp('terminal, json or html; - is stdout; repeatable (default: terminal)'),
    out,
    json: json.withHelp('JSON on stdout; the same as --report json=-'),
    list: toggle('list the chosen deviations and run nothing'),
    color,
    verbose: verbose('every deviation, and every requirement that none breaks'),
  },
};

type MutantsFlags = ValuesOf<typeof flags>;

const examples = `
Each deviation of the reference CSE is one way to break one requirement. It is killed when a check fails, identified when the
requirement that it breaks is among those found violated, with collateral when unrelated ones are.
Each deviation is run against the scenario files that check what it breaks. Its effects elsewhere are seen with --wide only
(every scenario of the dialect: seconds for each deviation), or in part with --others (some files more, others for each deviation).
Ids are requirements or what their ids begin with; --deviation takes ids of deviations or what they begin with.
With --generators no scenario is run: generated sequences look for the deviations, and each counterexample is run as a scenario by
itself, on the deviating CSE and on the sound one. Exit codes are then 0 at least 90 % found, the median in at most 4 requests, else 1.
With --drawn deviations are drawn by a seed from operators and the resource tables of the simulator, never from requirements. Each one
is proved active by a witness, a sequence of requests that the deviating CSE answers otherwise, and then run against every scenario; what no
scenario sees by generated sequences. It is identified when the first violation names what deviates (its attribute; else its operation,
status or list); a violation that names nothing of it is collateral. What was killed goes on where it stopped: by the same command, from
a file in --out. Each --shard runs its part; cselab merge makes one report of their JSON.
With --sound nothing is wrong, so that whatever is found is a false alarm.
Exit codes: 0 every deviation is killed and identified, 1 one is not, 2 usage, 130 interrupted.

Examples:
  cselab mutants                          every deviation, by the files that check what it breaks
  cselab mutants container.create -v      those that break a requirement called so
  cselab mutants --deviation ae.aei.missing --wide   one deviation, by every scenario of its dialect
  cselab mutants --drawn 100 --seed 7     a score that cannot be tuned
  cselab mutants --drawn 100 --shard 1/3 --report json=part-1.json
  cselab mutants --drawn 50 --tls         what goes wrong with certificates
  cselab mutants --drawn 50 --dialect onem2m --over mqtt   what goes wrong with the binding
  cselab mutants --drawn 50 --dialect onem2m --differs mqtt   what is wrong over MQTT only, beside HTTP
  cselab mutants --generators             what generated sequences find alone
  cselab mutants --report terminal --report html --report json=out/kill-table.json`;

export const define = command({
  help: 'measure which deviations of the reference CSE the harness detects',
  args: [['[ids...]', 'requirements whose deviations are tried; all when there is none']],
  flags,
  examples,
  async run(ids, flags) {
    if (flags.generators) {
      const options = generatedOptions(ids, flags);
      return runScored(flags, generatedReport, {
        deviations: () => deviationsToFind(options),
        run: (signal) => generated({ ...options, signal }),
        exitOf: exitOfGenerated,
        after: (table) => writeScenarios(table, flags),
      });
    }
    if (flags.drawn !== undefined || flags.sound !== undefined) {
      const options = drawnOptions(ids, flags);
      return runScored(flags, drawnReport, {
        run: (signal) => drawn({ ...options, signal }),
        exitOf: ({ interrupted, totals }) => (interrupted ? 130 : totals.verdicts['false alarm'] > 0 ? 1 : 0),
        after({ interrupted }) {
          if (interrupted) say(`interrupted; the same command goes on from ${options.kept}`);
        },
      });
    }
    const options = killOptions(ids, flags);
    const deviations = () => chosenDeviations(options);
    return runScored(flags, killReport, { deviations, run: (signal) => mutants({ ...options, signal }), exitOf });
  },
});

interface Scoring<Table> {
  /** The deviations that would be tried, where they can be listed. */
  deviations?(): Promise<KillTable['leftToGenerators']>;
  run(signal: AbortSignal): AsyncGenerator<Progress, Table>;
  exitOf(table: Table): number;
  after?(table: Table): Promise<void> | void;
}

async function runScored<Table>(
  flags: MutantsFlags,
  { stem, toReport }: { readonly stem: string; toReport(table: Table): Parameters<typeof writeAll>[1] },
  { deviations, run, exitOf, after }: Scoring<Table>,
): Promise<number> {
  const outputs = reportsOf(flags, stem);
  if (flags.list && deviations) {
    for (const { id, violates, says } of await deviations()) print(id, `    ${says}`, `    breaks ${violates}`);
    return 0;
  }
  return interruptible(async (signal) => {
    const table = await follow(
      run(signal),
      (lines) =>
        ({ isKept, done, chosen, says }) =>
          isKept ? lines.resumed(done, chosen, says) : lines.count(done, chosen, says),
    );
    await writeAll(outputs, toReport(table), flags);
    await after?.(table);
    return exitOf(table);
  });
}

/** Flags for drawing deviations. */
const drawnFlags = ['inPairs', 'tls', 'pair', 'over', 'differs', 'shard', 'dialect'] as const;

/** Each counterexample as a scenario file, by its deviation. */
async function writeScenarios({ rows }: GeneratedTable, { out }: MutantsFlags): Promise<void> {
  for (const { deviation, counterexample } of rows)
    if (counterexample !== undefined)
      await writeWhole(join(resolve(out), 'mutants-generated', `${deviation.id}.yaml`), counterexample.scenario);
}

function killOptions(ids: readonly string[], flags: MutantsFlags): MutantsOptions {
  const { deviation = [], wide, others, jobs = defaultJobs(), sample, timeout: limit } = flags;
  if (jobs < 1 || sample === 0) throw new UsageError(`--${jobs < 1 ? 'jobs' : 'sample'} is at least 1`);
  refuse(flags, [...drawnFlags, 'runs', 'seed'], 'deviations of the list, but with those of --drawn');
  if (wide && others !== undefined) throw new UsageError('--wide runs every scenario; there are no --others');
  const breadth = wide ? ({ kind: 'wide' } as const) : ({ kind: 'narrow', ...defined({ others }) } as const);
  return {
    requirements: ids,
    ids: deviation,
    breadth,
    workers: jobs,
    ...(sample && { sample: { size: sample } }),
    ...defined({ limit }),
  };
}

function generatedOptions(ids: readonly string[], flags: MutantsFlags): GeneratedOptions {
  const { deviation = [], jobs = defaultJobs(), sample, timeout: limit, runs, seed } = flags;
  refuse(flags, [...drawnFlags, 'drawn', 'sound', 'wide', 'others'], '--generators');
  if (jobs < 1 || sample === 0 || runs === 0) throw new UsageError('--jobs, --sample and --runs are at least 1');
  return {
    requirements: ids,
    ids: deviation,
    workers: jobs,
    ...(sample && { sample: { size: sample } }),
    ...defined({ limit, runs, seed }),
  };
}

function drawnOptions(ids: readonly string[], flags: MutantsFlags): DrawnOptions {
  const { drawn: deviations, sound, jobs = defaultJobs() } = flags;
  const { inPairs, runs, out, seed, dialect, differs, timeout: limit } = flags;
  const world = worldOf(flags);
  if (ids.length > 0) throw new UsageError('--drawn and --sound take no ids');
  refuse(flags, ['deviation', 'wide', 'others', 'sample', 'list'], '--drawn and --sound');
  if (deviations !== undefined && sound !== undefined) throw new UsageError('give either --drawn or --sound');
  if (sound !== undefined && inPairs) throw new UsageError('--in-pairs goes with --drawn');
  if (jobs < 1) throw new UsageError('--jobs is at least 1');
  const options: DrawnOptions = {
    ...{ count: deviations ?? sound ?? 0, of: sound === undefined ? 'deviations' : 'variations', workers: jobs },
    ...defined({ seed, dialect, inPairs, world, differs, runs, limit }),
    ...shardChoice(flags),
  };
  return { ...options, kept: join(resolve(out), stateFileName(options)) };
}

function worldOf({ tls, pair, over, differs, sound, inPairs }: MutantsFlags): DrawnOptions['world'] {
  if (differs !== undefined && (tls || pair || over || inPairs || sound !== undefined))
    throw new UsageError('--differs goes with --drawn, and none of --over, --tls, --pair and --in-pairs');
  if (over !== undefined) {
    if (tls || pair || inPairs) throw new UsageError('--over goes with neither --tls nor --pair nor --in-pairs');
    return over;
  }
  if (!tls && !pair) return undefined;
  if (tls && pair) throw new UsageError('give either --tls or --pair');
  if (sound !== undefined || inPairs) throw new UsageError('--tls and --pair go with --drawn, one deviation at a time');
  return tls ? 'tls' : 'pair';
}

/** Concurrent runs have one each. */
function stateFileName({ of, dialect = 'documented', seed = 1, inPairs, world, differs, shard }: DrawnOptions): string {
  const part = shard === undefined ? [] : [`${shard.index}-of-${shard.count}`];
  return `mutants-${[of, dialect, seed, ...(inPairs ? ['in-pairs'] : []), ...(world ? [world] : []), ...(differs ? ['over', differs] : []), ...part].join('-')}.ndjson`;
}

/** Some deviations wait, so that two processes do not fill two processors. */
const defaultJobs = (): number => 2 * availableParallelism();

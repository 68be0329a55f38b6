/** What `cselab diff` does once its flags are read. */
import { join } from 'node:path';
import {
  type DiffEvent,
  type DiffOptions,
  type DiffResult,
  type DiffSide,
  defined,
  diff,
  readTargetFile,
  targetFilePath,
  UsageError,
} from '../../scenarios/index.ts';
import type { DiffFlags } from '../commands/diff.ts';
import { safetyOf } from '../commands/safety-flags.ts';
import { renderText } from '../document/terminal.ts';
import { askedOfSequences, textOptions } from '../explore/run-exploration.ts';
import { chosenMasked, maskOutput } from '../masked-streams.ts';
import { writeWhole } from '../output-file.ts';
import { follow, progressOf } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { restartOf } from '../restarter.ts';
import { counted } from '../wording.ts';
import { type SideFlags, sidesOf } from './sides.ts';
import { diffTold, targetName } from './told.ts';

const diffProgress = progressOf<DiffEvent>({
  lines: {
    'diff started': ({ targets, seed }) =>
      `comparing ${targetName(targets.A)} with ${targetName(targets.B)}, seed ${seed}`,
    'difference found': ({ part, about, path }) =>
      `${part} differs (${about}) in sequence ${path}; looking for a shorter one`,
  },
  passing: {
    searched: ({ sequences, compared }, planned) =>
      `${sequences} of ${counted(planned, 'sequence')}, ${counted(compared, 'answer')} of each`,
    shrunk: ({ operations, attempts }) =>
      `${counted(operations, 'operation')} left after ${counted(attempts, 'attempt')}`,
  },
});

export async function runDiff(flags: DiffFlags): Promise<void> {
  const redactor = maskOutput([]);
  const options = optionsOf(flags, redactor);
  const result = await interruptible((signal) =>
    follow(diff({ ...options, secrets: redactor.secrets, signal }), diffProgress, flags.json),
  );
  process.exitCode = result.exit.code;
  const files = await written(result, flags);
  if (flags.json) {
    const differences = result.differences.map((one) => ({ ...one, ...defined({ file: files.get(one.signature) }) }));
    return void process.stdout.write(`${JSON.stringify({ ...result, differences }, null, 2)}\n`);
  }
  process.stdout.write(renderText(diffTold(result, files), textOptions(flags, 80)));
}

type Redactor = ReturnType<typeof maskOutput>;

function optionsOf(flags: DiffFlags, redactor: Redactor): DiffOptions {
  const { maxDifferences, focus, except, level, jobs, given, deviation = [] } = flags;
  const asked = askedOfSequences('diff', flags);
  const hasUrl = (target: string) => readTargetFile(targetFilePath(target)).choice.url !== undefined;
  const [a, b] = sidesOf(given, { hasUrl, faults: deviation });
  const [A, B] = [chosenSide(a, flags, redactor), chosenSide(b, flags, redactor)];
  return {
    targets: [A.side, B.side],
    ...asked,
    ...defined({ maxDifferences, focus, except, level }),
    ...defined({ jobs: jobs ?? fewest(A.jobs, B.jobs) }),
  };
}

function fewest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function chosenSide(
  { fault, ledger, restartCommand, ...flags }: SideFlags,
  { timeout: asked }: DiffFlags,
  redactor: Redactor,
): { readonly side: DiffSide; readonly jobs?: number } {
  const chosen = chosenMasked({ ...flags, ...defined({ timeout: asked }) }, redactor);
  const { target, dialect, jobs, timeout } = chosen;
  if (dialect !== 'documented')
    throw new UsageError('diff speaks the documented dialect only; give --dialect documented');
  const isOwn = target.kind === 'in-process';
  const faulty = isOwn && fault !== undefined ? { ...target, faults: fault } : target;
  const safety = safetyOf(isOwn ? {} : defined({ ledger }), target);
  return {
    side: { target: faulty, safety, ...defined({ timeout }), ...restartOf({ restartCommand }) },
    ...defined({ jobs }),
  };
}

/** The paths of the scenario files, by the signatures of differences. */
async function written({ differences }: DiffResult, { out }: DiffFlags): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { signature, scenario, requirement, right } of differences) {
    if (scenario === undefined || requirement === undefined) continue;
    const wrong = right === 'A' ? 'B' : right === 'B' ? 'A' : 'both';
    const name = `${requirement.id}.at-${wrong}`;
    const again = [...files.values()].filter((file) => file.includes(`${name}.`)).length;
    const file = join(out, 'counterexamples', `${name}${again === 0 ? '' : `.${again + 1}`}.yaml`);
    await writeWhole(file, scenario);
    files.set(signature, file);
  }
  return files;
}

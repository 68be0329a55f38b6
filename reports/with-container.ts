/** `--container` around a run: the target is there while it goes on. */
import type { CheckFlags } from './commands/check.ts';
import { type ContainerPlan, containerPlan, reachedAt } from './container-plan.ts';

/**
 * Without `--container` no more than the run. Rejects with a UsageError as `containerPlan` and `startTarget` tell; a container that
 * does not start is said on stderr and makes exit code 3, as an unreachable target does.
 */
export async function withContainer(flags: CheckFlags, run: (flags: CheckFlags) => Promise<void>): Promise<void> {
  const plan = containerPlan(flags);
  if (plan === undefined) return run(flags);
  // Where nothing is sent, nothing has to be there.
  if (flags.dryRun || flags.list !== undefined)
    return run(reachedAt(flags, `${plan.scheme}://127.0.0.1:${plan.port}`, plan));
  const target = await started(plan);
  if (target === undefined) return;
  try {
    await run(reachedAt(flags, target.url, plan));
  } finally {
    await target.stop();
  }
}

async function started(plan: ContainerPlan) {
  const { ContainerTargetError, startTarget } = await import('./container-target.ts');
  say(`starting a container of ${plan.image} ...`);
  try {
    const target = await startTarget(plan);
    say(`it answers at ${target.url}`);
    return target;
  } catch (error) {
    if (!(error instanceof ContainerTargetError)) throw error;
    say(`cselab: ${error.message}`);
    process.exitCode = 3;
    return undefined;
  }
}

/** What is under way, in one line. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

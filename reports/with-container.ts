/** `--container` around a run: the target is there while it goes on. */
import type { CheckFlags } from './commands/check.ts';
import { type ContainerPlan, containerPlan, reachedAt } from './container-plan.ts';

export interface Surroundings {
  /** True where nothing is sent, so that nothing has to be there. */
  readonly idle: boolean;
  /** Hears in one line what is under way. */
  readonly say: (line: string) => void;
}

/**
 * Without `--container` no more than the run. Rejects with a UsageError as `containerPlan` and `startTarget` tell; a container that
 * does not start is said on stderr and makes exit code 3, as an unreachable target does.
 */
export async function withContainer(
  flags: CheckFlags,
  { idle, say }: Surroundings,
  run: (flags: CheckFlags) => Promise<void>,
): Promise<void> {
  const plan = containerPlan(flags);
  if (plan === undefined) return run(flags);
  if (idle) return run(reachedAt(flags, `${plan.scheme}://127.0.0.1:${plan.port}`, plan));
  const target = await started(plan, say);
  if (target === undefined) return;
  try {
    await run(reachedAt(flags, target.url, plan));
  } finally {
    await target.stop();
  }
}

async function started(plan: ContainerPlan, say: (line: string) => void) {
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

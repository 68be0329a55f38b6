import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../writing/io.ts';

/** Milliseconds after which a running command is left alone: it may be the target. */
const longest = 60_000;

export interface RestartFlags {
  restartCommand?: string | undefined;
}

/** As an option of a run; empty without a command. */
export function restartOf({ restartCommand }: RestartFlags): { readonly restart?: () => Promise<void> } {
  return restartCommand === undefined ? {} : { restart: restarter(restartCommand) };
}

/**
 * Runs a command of the user in the shell, unchanged: nothing of a target becomes part of it. Its output goes to standard error.
 * It may end, or go on as the target itself.
 */
export function restarter(command: string): () => Promise<void> {
  return async () => {
    say('the target is dead; the restart command runs');
    const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
    child.unref();
    const over = new AbortController();
    const { signal } = over;
    // The timer keeps the process alive, which may have nothing else to do.
    const either = [once(child, 'exit', { signal }), pause(longest, undefined, { signal })];
    await Promise.race(either.map((one) => one.catch(() => undefined)));
    over.abort();
  };
}

/** The flags that keep a live target safe, and a run polite. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import type { SafetyChoice, TargetChoice } from '../../scenarios/index.ts';
import { UsageError, usualLedgers } from '../../scenarios/words.ts';
import { duration, type Flags, positive, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { type Io, io } from '../writing/io.ts';
import { say } from '../writing/output-file.ts';

const heading = 'To be polite and safe at a live target:';

const politeness = {
  rate: valued('<rate>', 'most requests in a time, evenly spaced, such as 50/s or 300/m').reading(rateIn),
  connections: positive('most connections at the same time, of every kind together'),
};

/** Flags for everything that is sent, and more below the same heading. */
export const politenessFlags = <More extends Flags>(more: More) => ({ [heading]: { ...politeness, ...more } });

/** Flags for what is left out by default at a live target. */
export const risky = toggle('also send what is known to corrupt or kill a deployed CSE');

/** Where ledgers lie. */
export const ledger = (what: string) =>
  valued('<dir>', `${what} (default: the variable CSELAB_LEDGERS, else ${usualLedgers})`);

const readOnly = toggle('only scenarios that do nothing but read');
const safety = {
  lifetime: valued('<duration>', 'after which what a run creates expires, such as 30m; or none (default: 1h)').reading(
    lifetimeIn,
  ),
  readOnly,
  risky,
  ledger: ledger('where a run writes down what it creates'),
};

export const safetyFlags = politenessFlags(safety);
export type SafetyFlags = ValuesOf<typeof safetyFlags>;

/** For commands that create something, and say so with --read-only; with more below the same heading. */
export const writingFlags = <More extends Flags>(more: More) =>
  politenessFlags({ ...safety, readOnly: readOnly.hidden(), ...more });

/** Where ledgers lie: by flag, or environment. */
export function ledgersOf(flag: string | undefined, environment: Io['env'] = io().env): string {
  return flag ?? (environment.CSELAB_LEDGERS || usualLedgers);
}

/** The safety options. Throws a UsageError for flags that need a target with a URL. */
export function safetyOf({ readOnly, ledger }: SafetyFlags, { kind }: TargetChoice): SafetyChoice {
  if (kind !== 'url') {
    if (ledger !== undefined) throw new UsageError('--ledger goes with --url');
    return { ...(readOnly && { readOnly }) };
  }
  return { ledger: ledgersOf(ledger), survey: true, ...(readOnly && { readOnly }) };
}

/** `per` is in milliseconds. */
function rateIn(text: string): { readonly requests: number; readonly per: number } {
  const [, requests, unit] = /^([1-9]\d{0,6})\/(s|m)$/.exec(text) ?? [];
  if (requests === undefined) throw new InvalidArgumentError('Write 50/s or 300/m.');
  return { requests: Number(requests), per: unit === 'm' ? 60_000 : 1000 };
}

/** Milliseconds; a lifetime can exceed any wait of a run. */
function lifetimeIn(text: string): number | 'none' {
  if (text === 'none') return text;
  const [, hours] = /^(\d{1,4}(?:\.\d+)?)h$/.exec(text) ?? [];
  return hours === undefined || Number(hours) === 0 ? duration(text) : Number(hours) * 3_600_000;
}

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

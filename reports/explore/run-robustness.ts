/** `cselab explore --robustness`: a fixed list of malformed and odd requests, by their numbers. */
import pc from 'picocolors';
import { defined, robustness, UsageError } from '../../scenarios/index.ts';
import { chosenTarget } from '../chosen-target.ts';
import type { ExploreFlags } from '../explore-command.ts';
import { maskOutput } from '../masked-streams.ts';
import { follow } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { takesColor } from '../reporting.ts';
import { secrets } from '../run-check.ts';
import { safetyOf } from '../safety-flags.ts';
import { robustnessProgress, robustnessText } from './robustness-text.ts';

const strange = [
  'focus',
  'jobs',
  'processes',
  'pair',
  'concurrency',
  'wire',
  'runs',
  'seed',
  'path',
  'maxTime',
  'deviation',
  'restartCommand',
] as const;

export async function runRobustness(flags: ExploreFlags, numbers: readonly string[]): Promise<void> {
  const stray = strange.filter((flag) => flags[flag] !== undefined);
  if (stray.length > 0) {
    const named = stray.map((flag) => `--${flag.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`).join(', ');
    throw new UsageError(`${named} does not go with --robustness, which sends a fixed list of requests`);
  }
  const redactor = maskOutput([]);
  const { target, dialect, timeout, secrets: learnt } = chosenTarget(flags, secrets());
  for (const secret of learnt) redactor.learn(secret);
  const options = {
    ...{ target, numbers, safety: safetyOf(flags, target), secrets: redactor.secrets },
    ...defined({ dialect, timeout }),
  };
  const result = await interruptible((signal) =>
    follow(robustness({ ...options, signal }), robustnessProgress, flags.json),
  );
  process.exitCode = result.exit.code;
  const page = {
    columns: Math.min(process.stdout.columns ?? 100, 120),
    colors: pc.createColors(flags.color && takesColor(process.stdout)),
    verbose: flags.verbose === true,
  };
  process.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : robustnessText(result, page));
}

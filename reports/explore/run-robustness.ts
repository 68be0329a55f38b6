/** `cselab explore --robustness`: a fixed list of malformed and odd requests, by their numbers. */
import { defined, robustness } from '../../scenarios/index.ts';
import type { ExploreFlags } from '../commands/explore.ts';
import { safetyOf } from '../commands/safety-flags.ts';
import { renderText } from '../document/terminal.ts';
import { chosenMasked, maskOutput } from '../masked-streams.ts';
import { follow } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { robustnessProgress } from './progress.ts';
import { ofSequences, refuse, textOptions } from './run-exploration.ts';
import { robustnessTold } from './told.ts';

const strange = [...ofSequences, 'wire', 'runs', 'seed', 'path', 'maxTime', 'deviation', 'restartCommand'] as const;

export async function runRobustness(flags: ExploreFlags, numbers: readonly string[]): Promise<void> {
  refuse(flags, strange, '--robustness, which sends a fixed list of requests');
  const redactor = maskOutput([]);
  const { target, dialect, timeout } = chosenMasked(flags, redactor);
  const options = {
    ...{ target, numbers, safety: safetyOf(flags, target), secrets: redactor.secrets },
    ...defined({ dialect, timeout }),
  };
  const result = await interruptible((signal) =>
    follow(robustness({ ...options, signal }), robustnessProgress, flags.json),
  );
  process.exitCode = result.exit.code;
  process.stdout.write(
    flags.json ? `${JSON.stringify(result, null, 2)}\n` : renderText(robustnessTold(result), textOptions(flags)),
  );
}

/** `cselab up --console`: the page is loaded for those who ask for it. */
import type { Console } from '../console/console.ts';
import type { SteeredClock } from '../console/steered-clock.ts';
import type { UpOptions } from './options.ts';

export interface UpConsole {
  readonly console: Console;
  /** Of everything that is started: it goes, unless `--manual-clock` has it stand. */
  readonly clock: SteeredClock;
  /** 0 for a free one. */
  readonly port: number;
}

/** Undefined where nobody asks for one. `onError` hears of its defects. */
export async function consoleOf(
  { console: port, manualClock }: UpOptions,
  onError: (error: unknown) => void,
): Promise<UpConsole | undefined> {
  if (port === undefined) return undefined;
  const [{ Console }, { steeredClock }] = await Promise.all([
    import('../console/console.ts'),
    import('../console/steered-clock.ts'),
  ]);
  const clock = steeredClock({ stands: manualClock === true });
  return { console: new Console(clock, onError), clock, port: port === true ? 0 : port };
}

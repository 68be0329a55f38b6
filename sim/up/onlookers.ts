/** Who looks on while `cselab up` runs: what tells of it in the form that `--log` names, and the console. */

import type { Console } from '../console/console.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options.ts';
import type { Teller } from './telling/event.ts';
import { Latest } from './telling/latest.ts';
import { plainTeller } from './telling/plain.ts';

export interface Onlookers {
  readonly teller: Teller;
  readonly page: Console | undefined;
  /** Each request is told, not only those that are refused. */
  readonly verbose: boolean;
  /** Hears of defects. */
  readonly onError: (error: unknown) => void;
}

/** So many different things that happened are on the terminal. */
const mostRemarks = 5;

/** The streams of this process. Rejects with an UpOptionsError for a terminal that is none. */
export async function tellingOf({ log, verbose }: UpOptions): Promise<Teller> {
  const { stdout, stderr, env } = process;
  const streams = { out: (text: string) => void stdout.write(text), err: (text: string) => void stderr.write(text) };
  const isTerminal = stdout.isTTY === true;
  if (log === 'live' && !isTerminal) {
    throw new UpOptionsError('--log live draws on a terminal, and stdout is none; choose plain or json');
  }
  const usual = isTerminal && env.TERM !== 'dumb' && !env.CI ? 'live' : 'plain';
  const form = log ?? usual;
  if (form === 'json') {
    const { jsonTeller } = await import('./telling/json.ts');
    return jsonTeller(streams.out);
  }
  if (form === 'plain') return plainTeller(streams);
  const [{ liveTeller }, { default: pc }] = await Promise.all([import('./telling/live.ts'), import('picocolors')]);
  return liveTeller({
    ...streams,
    terminal: { write: streams.out, columns: () => stdout.columns || 80, rows: () => stdout.rows || 24 },
    color: pc.isColorSupported,
    latest: new Latest(mostRemarks),
    errIsTerminal: stderr.isTTY === true,
    verbose: verbose === true,
  });
}

/** `cselab up --console`: loaded for those who ask for it. Its clock goes, unless `--manual-clock` has it stand. `onError` hears of its defects. */
export async function consoleOf(
  { console: wanted, manualClock }: UpOptions,
  onError: (error: unknown) => void,
): Promise<Console | undefined> {
  if (wanted === undefined) return undefined;
  const [{ Console }, { SteeredClock }] = await Promise.all([
    import('../console/console.ts'),
    import('../console/steered-clock.ts'),
  ]);
  return new Console(new SteeredClock({ stands: manualClock === true }), onError);
}

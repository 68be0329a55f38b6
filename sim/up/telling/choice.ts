/** Which form `cselab up --log` takes, and where it writes. */

import type { UpOptions } from '../options.ts';
import { UpOptionsError } from '../options.ts';
import type { Teller } from './event.ts';
import { Latest } from './latest.ts';
import { plainTeller } from './plain.ts';

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
    const { jsonTeller } = await import('./json.ts');
    return jsonTeller(streams.out);
  }
  if (form === 'plain') return plainTeller(streams);
  const [{ liveTeller }, { default: pc }] = await Promise.all([import('./live.ts'), import('picocolors')]);
  return liveTeller({
    ...streams,
    terminal: { write: streams.out, columns: () => stdout.columns || 80, rows: () => stdout.rows || 24 },
    color: pc.isColorSupported,
    latest: new Latest(mostRemarks),
    errIsTerminal: stderr.isTTY === true,
    verbose: verbose === true,
  });
}

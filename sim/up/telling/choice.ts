/** Which form `cselab up --log` takes, and where it writes. */

import type { UpOptions } from '../options.ts';
import { UpOptionsError } from '../options.ts';
import type { Teller } from './event.ts';
import { Latest } from './latest.ts';
import { plainTeller } from './plain.ts';

/** So many different things that happened are on the terminal. */
const mostRemarks = 5;

export interface Telling {
  readonly teller: Teller;
  /** For those that count; undefined where nobody looks at it. */
  readonly latest: Latest | undefined;
}

/** The streams of this process. Rejects with an UpOptionsError for a terminal that is none. */
export async function tellingOf({ log, verbose }: UpOptions): Promise<Telling> {
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
    return { teller: jsonTeller(streams.out), latest: undefined };
  }
  if (form === 'plain') return { teller: plainTeller(streams), latest: undefined };
  const [{ liveTeller }, { default: pc }] = await Promise.all([import('./live.ts'), import('picocolors')]);
  const latest = new Latest(mostRemarks);
  const terminal = { write: streams.out, columns: () => stdout.columns || 80, rows: () => stdout.rows || 24 };
  const errIsTerminal = stderr.isTTY === true;
  const options = {
    ...streams,
    terminal,
    color: pc.isColorSupported,
    latest,
    errIsTerminal,
    verbose: verbose === true,
  };
  return { teller: liveTeller(options), latest };
}

import { defined, UsageError } from '../../scenarios/index.ts';

interface Asked {
  readonly readOnly?: true | undefined;
  readonly runs?: number;
  readonly seed?: number;
  readonly path?: string;
  readonly maxTime?: number;
}

/** What is said of the sequences of a command that makes some. Throws a UsageError where it cannot be done. */
export function askedOfSequences(command: string, { readOnly, runs, seed, path, maxTime }: Asked) {
  if (readOnly) throw new UsageError(`${command} creates resources; --read-only leaves it nothing to do`);
  if (path !== undefined && (seed === undefined || !/^\d+(:\d+)*$/.test(path))) {
    throw new UsageError('--path is a path such as 1:0:4, and goes with --seed');
  }
  if (runs === 0) throw new UsageError('--runs is at least 1');
  return defined({ runs, seed, path, maxTime });
}

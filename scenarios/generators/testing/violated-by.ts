/** For tests: what generated scenario files find by themselves. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../../checking/check.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { lastOf } from '../../engine/running/last-of.ts';

interface CheckedOn {
  /** Of the reference CSE. */
  readonly deviations: readonly string[];
  readonly dialect?: Dialect;
  /** Whether it listens, as it has to for notifications and for a pair. */
  readonly listening?: boolean;
}

/** The ids of violated requirements when the scenarios run on the reference CSE, each from its own file. */
export async function violatedBy(
  scenarios: readonly string[],
  { deviations, dialect = 'documented', listening = false }: CheckedOn,
): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'cselab-generated-'));
  const files = scenarios.map((scenario, at) => {
    const file = join(directory, `${at}.yaml`);
    writeFileSync(file, scenario);
    return file;
  });
  const target = listening
    ? ({ kind: 'embedded', deviations, hasty: true } as const)
    : ({ kind: 'in-process', deviations } as const);
  try {
    const { requirements } = await lastOf(check({ target, dialect, files, again: false }));
    return requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

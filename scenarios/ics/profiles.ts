/** Profiles: features that a CSE must have, of TS-0025 as far as known, or of a team. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { didYouMean, UsageError } from '../engine/basics/diagnostics.ts';
import { lazy } from '../engine/basics/memoize.ts';
import { ownValue } from '../engine/basics/own-value.ts';
import { readValid } from '../engine/files/issues.ts';
import type { RunResult } from '../engine/results/result.ts';
import { featureIds } from './features.ts';

const Demand = z.union([z.enum(featureIds), z.strictObject({ always: z.string() })]);
const Profile = z.strictObject({ name: z.string(), source: z.string(), demands: z.record(z.string(), Demand) });

const shippedPath = fileURLToPath(new URL('profiles.yaml', import.meta.url));
const shipped = lazy(() => readValid(shippedPath, z.record(z.string(), Profile)).value);

export const profileNames = (): string[] => Object.keys(shipped());

/**
 * The profile with this name, or in the file at this path: `name`, `source` and `demands`. Throws UsageError if there is none,
 * ScenarioFilesError for an invalid file.
 */
export function profileCalled(named: string): NonNullable<RunResult['profile']> {
  const found = ownValue(shipped(), named) ?? (existsSync(named) ? readValid(named, Profile).value : undefined);
  if (found === undefined) {
    const known = profileNames();
    throw new UsageError(`of the profiles ${known.join(', ')} none is called "${named}"${didYouMean(named, known)}`);
  }
  const { name, source, demands } = found;
  return { name, source, demands: [...new Set(Object.values(demands).filter((one) => typeof one === 'string'))] };
}

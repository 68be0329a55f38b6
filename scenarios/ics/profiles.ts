/** Profiles: features that a CSE must have, of TS-0025 as far as known, or of a team. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { didYouMean, ScenarioFilesError, UsageError } from '../engine/basics/diagnostics.ts';
import { lazy } from '../engine/basics/memoize.ts';
import { ownValue } from '../engine/basics/own-value.ts';
import { validate } from '../engine/files/issues.ts';
import { readSource } from '../engine/files/source-file.ts';
import type { RunResult } from '../engine/results/result.ts';
import { featureIds } from './features.ts';

const Demand = z.union([z.enum(featureIds), z.strictObject({ always: z.string() })]);
const Profile = z.strictObject({ name: z.string(), source: z.string(), demands: z.record(z.string(), Demand) });

function read<Read>(path: string, schema: z.ZodType<Read>): Read {
  const { source, problems } = readSource(path);
  if (source === undefined) throw new ScenarioFilesError(problems);
  const { value, problems: errors } = validate(schema, source);
  if (value === undefined || errors.length > 0) throw new ScenarioFilesError(errors);
  return value;
}

const shipped = lazy(() =>
  read(fileURLToPath(new URL('profiles.yaml', import.meta.url)), z.record(z.string(), Profile)),
);

export const profileNames = (): string[] => Object.keys(shipped());

/**
 * The profile with this name, or in the file at this path: `name`, `source` and `demands`. Throws UsageError if there is none,
 * ScenarioFilesError for an invalid file.
 */
export function profileCalled(named: string): NonNullable<RunResult['profile']> {
  const found = ownValue(shipped(), named) ?? (existsSync(named) ? read(named, Profile) : undefined);
  if (found === undefined) {
    const known = profileNames();
    throw new UsageError(`of the profiles ${known.join(', ')} none is called "${named}"${didYouMean(named, known)}`);
  }
  const { name, source, demands } = found;
  return { name, source, demands: [...new Set(Object.values(demands).filter((one) => typeof one === 'string'))] };
}

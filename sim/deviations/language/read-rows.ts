/** YAML files of deviations and operators. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Malformed YAML; the message names the file and position. */
class RowFileError extends Error {
  override readonly name = 'RowFileError';
}

/** Throws a RowFileError. */
export function readRows<Row>(file: URL): readonly Row[] {
  try {
    return parse(readFileSync(file, 'utf8')) ?? [];
  } catch (error) {
    throw new RowFileError(`${fileURLToPath(file)}: ${(error as Error).message}`);
  }
}

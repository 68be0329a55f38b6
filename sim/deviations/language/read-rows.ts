/** The YAML of deviations, and of what is drawn. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** A file that is no YAML; the message says which, and where it goes wrong. */
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

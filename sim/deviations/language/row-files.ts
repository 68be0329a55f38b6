/** The written rows. The bundle for browsers has them in place of this file's way to them. */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { eachOf } from './each.ts';
import type { Row } from './schema.ts';

const folder = new URL('../rows/', import.meta.url);

/** Of all files, in the order of their names. */
export function writtenRows(): readonly Row[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => (parse(readFileSync(new URL(name, folder), 'utf8')) ?? []) as Row[])
    .flatMap(eachOf);
}

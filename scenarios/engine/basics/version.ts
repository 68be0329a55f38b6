import { readFileSync } from 'node:fs';

/** The version of cselab, from its package file. */
export function version(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

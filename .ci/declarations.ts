/** Which type declarations of dist/ an importer of the package can reach. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const imported = /(?:\bfrom|\bimport\(?) ?["'](\.[^"']+)\.[jt]sx?["']/g;

/** Removes those that no entry point leads to; `entries` are declaration files. */
export function keepDeclarationsOf(entries: readonly string[], out: string): void {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imported))
      visit(join(dirname(file), `${path}.d.ts`));
  };
  for (const entry of entries) visit(join(entry));
  for (const file of readdirSync(out, { recursive: true }).map(String)) {
    if (file.endsWith('.d.ts') && !seen.has(join(out, file))) rmSync(join(out, file));
  }
}

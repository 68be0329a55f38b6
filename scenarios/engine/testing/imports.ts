/** For tests, and for what measures the project: what a file imports. */
import { posix } from 'node:path';

export interface Import {
  readonly from: string;
  /** Path in the project, or the name of a package or of a module of Node. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** By a call of `import()`. */
  readonly later?: boolean;
}

const statement =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** In the order in which they stand; `file`: its path in the project. */
export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(statement)].map((found) => {
    const name = found[2] ?? found[3] ?? found[4] ?? '';
    const to = name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name)) : name;
    const typeOnly = found[1] !== undefined || onlyTypes(found[0]);
    return { from: file, to, typeOnly, later: found[4] !== undefined };
  });
}

/** `import { type A, type B } from …` */
function onlyTypes(text: string): boolean {
  const names = /\{([^}]*)\}/
    .exec(text)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names !== undefined && names.length > 0 && names.every((name) => name.startsWith('type '));
}

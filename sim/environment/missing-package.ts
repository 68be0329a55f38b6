/** Packages that only those need who ask for what is made of them: loaded then, and said by name where they are not installed. */

import { createRequire } from 'node:module';

/** What was asked for is made of a package that is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
}

/** Rejects with a MissingPackageError where one of these `packages` is not there; `what` begins its message. */
export async function importPackage<Loaded>(
  what: string,
  packages: string,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  return load().catch((error: unknown) => {
    throw asMissing(what, packages, error);
  });
}

/** The same for what a module needs as it is loaded: a package that it imports would be missing before a word can be said. */
export function requirePackage<Loaded>(what: string, name: string): Loaded {
  try {
    return createRequire(import.meta.url)(name) as Loaded;
  } catch (error) {
    throw asMissing(what, name, error);
  }
}

function asMissing(what: string, packages: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const isMissing =
    /MODULE_NOT_FOUND$/.test(code ?? '') && packages.split(' ').some((one) => message.includes(`'${one}'`));
  return isMissing ? new MissingPackageError(`${what} needs what is not installed: npm install ${packages}`) : error;
}

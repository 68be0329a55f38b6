/** Optional packages, loaded on use; a missing one is reported by name. */

import { createRequire } from 'node:module';

/** A required optional package is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
}

/** Rejects with a MissingPackageError where one of these `packages` is missing; `what` begins its message. */
export async function importPackage<T>(what: string, packages: string, load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    throw asMissing(what, packages, error);
  });
}

/** The same while a module is loaded: a missing static import could not be reported. */
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
  return isMissing ? new MissingPackageError(`${what} lacks a package: npm install ${packages}`) : error;
}

import { relative, resolve, sep } from 'node:path';

/** The path as seen from a directory: relative, with slashes. */
export const pathFrom = (directory: string, path: string): string =>
  relative(resolve(directory), resolve(path)).split(sep).join('/');

import { relative, resolve, sep } from 'node:path';

/** As a file in that directory names it: relative, with slashes. */
export const pathFrom = (directory: string, path: string): string =>
  relative(resolve(directory), resolve(path)).split(sep).join('/');

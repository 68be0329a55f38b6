import { readFileSync } from './files.js';

export * from 'absent:fs/promises';

export const readFile = async (path, how) => readFileSync(path, how);

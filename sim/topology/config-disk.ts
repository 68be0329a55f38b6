/** What configuration files need of the disk. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';

/** Why a file cannot be read, as the end of a sentence; undefined when it can. */
export type Look = (path: string) => string | undefined;

export const lookOnDisk: Look = (path) => {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory() ? reasons.EISDIR : undefined;
  } catch (error) {
    return reasonOf(error);
  }
};

/** The bytes of a file, or why it has none to give. */
export function readBytes(path: string): Buffer | string {
  try {
    return readFileSync(path);
  } catch (error) {
    return reasonOf(error);
  }
}

const reasons = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
} as const;

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code as keyof typeof reasons] ?? `cannot be read: ${message}`;
}

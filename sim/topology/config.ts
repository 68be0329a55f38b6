/** The documented configuration files, one for each CSE: a `plugins` section and an `onem2m` section. */
import { isUtf8 } from 'node:buffer';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import type { Look } from './config-checks.ts';
import { type DocumentReading, readDocument } from './config-document.ts';
import { ConfigurationError, type ConfigurationProblem, Findings } from './config-problem.ts';

/** What a configuration file says, in the terms of this project. */
export interface FileConfiguration extends DocumentReading {
  /** As it was given. */
  readonly file: string;
}

export interface ConfigurationReading {
  readonly configuration: FileConfiguration;
  /** What has no effect, and what deserves a second look; sorted by place. */
  readonly notes: readonly ConfigurationProblem[];
}

/** Throws a ConfigurationError with everything that is wrong. */
export function readConfigurationFile(file: string): ConfigurationReading {
  const bytes = readBytes(file);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (isUtf8(bytes)) return parseConfiguration(text, file);
  const findings = new Findings(file, text);
  const from = Math.max(0, text.indexOf('\u{fffd}'));
  findings.error({ from, to: from + 1 }, 'this is not UTF-8');
  throw new ConfigurationError(findings.errors);
}

/** The same of a text that is given; `look` tells which certificates are there. */
export function parseConfiguration(text: string, file: string, look: Look = lookOnDisk): ConfigurationReading {
  const findings = new Findings(file, text);
  const read = readDocument(text, { file, look }, findings);
  if (read === undefined) throw new ConfigurationError(findings.errors);
  return { configuration: { file, ...read }, notes: findings.notes };
}

export const lookOnDisk: Look = (path) => {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory() ? reasons.EISDIR : undefined;
  } catch (error) {
    return reasonOf(error);
  }
};

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const nowhere = { file, line: 1, column: 1, length: 1, sourceLine: '', severity: 'error' } as const;
    throw new ConfigurationError([{ ...nowhere, message: `the file ${reasonOf(error)}` }]);
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

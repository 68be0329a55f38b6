import { resolve } from 'node:path';
import { ScenarioFilesError } from '../engine/files/diagnostics.ts';
import { validate } from '../engine/files/issues.ts';
import { readSource } from '../engine/files/source-file.ts';
import { milliseconds } from '../engine/grammar/duration.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { choiceOf } from './target-choice.ts';
import { TargetFile } from './target-file.ts';
import { checkTarget } from './target-problems.ts';

export interface ReadTarget {
  readonly file: TargetFile;
  /** Without a URL where the file has none. */
  readonly choice: Omit<UrlChoice, 'url'> & { readonly url?: string };
  /** Most scenarios at the same time. */
  readonly jobs?: number;
  /** Milliseconds for each request. */
  readonly timeout?: number;
  /** What came from the environment, and is never to be shown. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a target file; paths in it are relative to it. Nothing is sent.
 * Throws ScenarioFilesError with every problem of the file, a missing environment variable among them.
 */
export function readTargetFile(path: string, environment: Environment = process.env): ReadTarget {
  const { source, problems } = readSource(resolve(path));
  if (source === undefined) throw new ScenarioFilesError(problems);
  const { value: file, problems: faults } = validate(TargetFile, source);
  const found = checkTarget(source, environment);
  const all = [...faults, ...found.problems].sort((a, b) => a.line - b.line || a.column - b.column);
  if (file === undefined || all.length > 0) throw new ScenarioFilesError(all);
  const { jobs, timeout } = file.limits ?? {};
  return {
    file,
    choice: choiceOf(file, { path: source.path, expand: found.expand }),
    ...(jobs !== undefined && { jobs }),
    ...(timeout !== undefined && { timeout: milliseconds(timeout) }),
    secrets: found.secrets,
  };
}

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type RunResult, UsageError } from '../../scenarios/words.ts';
import { runReport } from './json-reporter.ts';

const { schemaVersion } = runReport.format;

/**
 * Reads a report that `--report json` wrote. Required parts must be valid; what a later writer of the same version added is
 * left out. Throws UsageError for a file that is missing, is no JSON, ends in the middle, is no report of ours, or is one of
 * another version.
 */
export function readReport(path: string): RunResult {
  const value = readJson(path);
  const { data: head } = AnyReport.safeParse(value);
  if (head === undefined) throw new UsageError(`${path} is JSON, but no report that cselab wrote with --report json`);
  if (head.schemaVersion !== schemaVersion) throw new UsageError(`${path} ${otherVersion(head.schemaVersion)}`);
  const { data, error } = runReport.type.safeParse(withCounts(value));
  if (data === undefined) throw new UsageError(`${path} is no whole report: ${problemsText(error.issues)}`);
  // The causes follow from the rest.
  const { $schema: _schema, schemaVersion: _version, causes: _causes, ...result } = data;
  return result;
}

/** Reads any file that `--report json` wrote. Throws UsageError for one that is missing, or is no whole JSON. */
export function readJson(path: string): unknown {
  const text = textOf(path);
  if (text.trim() === '') throw new UsageError(`the report ${path} is empty`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // A text that begins as JSON and never closes was cut off.
    const cut = /^\s*\{/.test(text) && !/\}\s*$/.test(text);
    if (cut)
      throw new UsageError(`the report ${path} ends in the middle: it was not written, or not copied, as a whole`);
    throw new UsageError(`${path} is no JSON, and so no report: ${(error as Error).message}`);
  }
}

/** Older reports, which do not know deaths, count nothing as lost. */
function withCounts(value: unknown): unknown {
  const { summary, ...rest } = value as { readonly summary?: Readonly<Record<string, object>> };
  if (typeof summary !== 'object' || summary === null) return value;
  const counts = Object.entries(summary).map(([key, of]) => [key, typeof of === 'object' ? { lost: 0, ...of } : of]);
  return { ...rest, summary: Object.fromEntries(counts) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UsageError(`there is no report "${path}"; cselab check --report json writes one`);
    if (code === 'EISDIR') throw new UsageError(`"${path}" is a directory, and no report`);
    throw new UsageError(`the report "${path}" cannot be read: ${(cause as Error).message}`);
  }
}

/** A report of ours in any version. */
const AnyReport = z.object({
  $schema: z.string().startsWith(runReport.format.$schema.replace(/\d+$/, '')),
  schemaVersion: z.number(),
});

function otherVersion(version: number): string {
  const what = `is a report in version ${version} of the format; this cselab reads version ${schemaVersion}`;
  return version < schemaVersion ? `${what}. Run the check again` : `${what}. A newer cselab wrote it, and can read it`;
}

const mostProblems = 3;

export function problemsText(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const texts = issues.map(({ path, message }) => `${path.map(String).join('.') || 'the whole'}: ${message}`);
  const more = texts.length - mostProblems;
  return `${texts.slice(0, mostProblems).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

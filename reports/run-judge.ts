/** What `cselab judge` does once its flags are read. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { defined, judgeReport, judgeTraffic, type RunResult, UsageError } from '../scenarios/index.ts';
import type { JudgeFlags } from './commands/judge.ts';
import { maskOutput } from './masked-streams.ts';
import { interruptible } from './progress/interruptible.ts';
import { readReport } from './read-report.ts';
import { createReporters, type Reporter } from './reporter.ts';
import { contextOf, finishAll, reported, tellExit, tellFiles } from './reporting.ts';

export async function runJudge(files: readonly string[], flags: JudgeFlags): Promise<void> {
  const redactor = maskOutput(flags.secret ?? []);
  const reporters = createReporters(flags.report ?? ['terminal'], contextOf(flags));
  const [first = ''] = files;
  if (files.some(isReport)) {
    if (files.length > 1) throw new UsageError('a JSON report is judged alone');
    return tell(reporters, judgeReport(readReport(first)));
  }
  const { dialect, url, base, cseId, spId, alone: isAlone, baseline } = flags;
  if (url !== undefined && !(URL.canParse(url) && /^https?:/.test(url)))
    throw new UsageError(`--url is such as http://127.0.0.1:8000, not "${url}"`);
  const options = {
    ...{ files, dialect, secrets: redactor.secrets },
    ...defined({ url, base, cseId, spId, isAlone }),
    ...(baseline !== undefined && { baseline: { file: baseline } }),
  };
  const result = await interruptible((signal) => reported(judgeTraffic({ ...options, signal }), reporters));
  await tell(reporters, result);
}

async function tell(reporters: readonly Reporter[], result: RunResult): Promise<void> {
  await finishAll(reporters, result);
  tellFiles(reporters, result, process.stderr);
  tellExit(result);
}

/** Whether a file begins as a report of ours. */
function isReport(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  const file = openSync(path, 'r');
  const beginning = Buffer.alloc(200);
  readSync(file, beginning);
  closeSync(file);
  return /^\s*\{\s*"\$schema"\s*:\s*"urn:cselab:report/.test(beginning.toString('utf8'));
}

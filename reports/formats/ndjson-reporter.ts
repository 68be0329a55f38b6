import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunEvent, RunResult } from '../../scenarios/words.ts';
import type { TextStream } from '../writing/io.ts';
import { UnwritableReport } from '../writing/output-file.ts';
import { runReport, visibleJson } from './json-reporter.ts';

/**
 * Writes each event of a run as a line of JSON as soon as it happens; the last one, `run finished`, holds the whole result in
 * the format of `report.schema.json`. The path `-` is stdout.
 */
export function ndjsonReporter(
  path: string,
  stdout: TextStream,
): { onEvent(event: RunEvent): void; finish(result: RunResult): void } {
  const lines = path === '-' ? { write: (text: string) => void stdout.write(text), end: () => {} } : file(path);
  return {
    onEvent(event) {
      if (event.type !== 'run finished') lines.write(`${visibleJson(event)}\n`);
    },
    finish(result) {
      lines.write(`${visibleJson({ type: 'run finished', result: { ...runReport.format, ...result } })}\n`);
      lines.end();
    },
  };
}

/** Opened with the first line. An error is kept until the end, so that it neither ends the run nor is lost. */
function file(path: string): { write(text: string): void; end(): void } {
  let handle: number | undefined;
  let problem: UnwritableReport | undefined;
  const attempt = (action: () => void) => {
    try {
      if (problem === undefined) action();
    } catch (cause) {
      problem = new UnwritableReport(path, cause);
    }
  };
  return {
    write: (text) =>
      attempt(() => {
        if (handle === undefined) mkdirSync(dirname(path), { recursive: true });
        handle ??= openSync(path, 'w');
        writeSync(handle, text);
      }),
    end: () => {
      attempt(() => handle !== undefined && closeSync(handle));
      if (problem !== undefined) throw problem;
    },
  };
}

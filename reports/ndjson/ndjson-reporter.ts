import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunEvent, RunResult } from '../../scenarios/index.ts';
import { schemaId, schemaVersion } from '../json/schema.ts';
import { UnwritableReport } from '../output-file.ts';
import type { TextStream } from '../terminal/terminal-reporter.ts';

/** Control characters that JSON lets stand as they are (DEL and the C1 set), and changes of the writing direction. */
const unseen = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Writes each event of a run as a line of JSON as soon as it happens; the last one, `run finished`, holds the whole result in
 * the format of `report.schema.json`. Without a path the lines go to stdout.
 */
export function ndjsonReporter(
  path: string | undefined,
  stdout: TextStream,
): { onEvent(event: RunEvent): void; finish(result: RunResult): void } {
  const lines = path === undefined ? { write: (text: string) => void stdout.write(text), end: () => {} } : file(path);
  return {
    onEvent(event) {
      if (event.type !== 'run finished') lines.write(lineOf(event));
    },
    finish(result) {
      lines.write(lineOf({ type: 'run finished', result: { $schema: schemaId, schemaVersion, ...result } }));
      lines.end();
    },
  };
}

function lineOf(value: unknown): string {
  const text = JSON.stringify(value);
  return `${text.replace(unseen, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)}\n`;
}

/** Opened with the first line. An error is kept until the end, so that it neither ends the run nor goes unnoticed. */
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

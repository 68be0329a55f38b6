import { causesOf, type RunResult } from '../../scenarios/index.ts';
import { type Report, schemaId, schemaVersion } from './schema.ts';

/** Control characters that JSON lets stand as they are (DEL and the C1 set), and changes of the writing direction. */
const unseen = /[\p{Cc}\p{Bidi_Control}]/gu;

/** The report in the format of `report.schema.json`, ending with a line break. It can be shown in a terminal as it is. */
export function renderJson(result: RunResult): string {
  const report: Report = { $schema: schemaId, schemaVersion, ...result, causes: causesOf(result) };
  return `${visibleJson(report, 2)}\n`;
}

/** JSON that can be shown in a terminal as it is. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unseen, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

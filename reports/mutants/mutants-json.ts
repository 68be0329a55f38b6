import type { KillTable } from '../../scenarios/index.ts';
import { type Mutants, mutantsSchemaId, mutantsSchemaVersion } from './schema.ts';

/** The kill table as JSON; it can be shown in a terminal as it is. */
export function renderMutantsJson(table: KillTable): string {
  const value: Mutants = { $schema: mutantsSchemaId, schemaVersion: mutantsSchemaVersion, ...table };
  return shownJson(value);
}

export function shownJson(value: object): string {
  const text = JSON.stringify(value, undefined, 2);
  return `${text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escaped)}\n`;
}

function escaped(character: string): string {
  return character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

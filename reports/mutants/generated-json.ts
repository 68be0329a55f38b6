import type { GeneratedTable } from '../../scenarios/index.ts';
import { type Generated, generatedSchemaId, generatedSchemaVersion } from './generated-schema.ts';
import { shownJson } from './mutants-json.ts';

/** What the generators alone find, as JSON. */
export function renderGeneratedJson(table: GeneratedTable): string {
  const value: Generated = { $schema: generatedSchemaId, schemaVersion: generatedSchemaVersion, ...table };
  return shownJson(value);
}

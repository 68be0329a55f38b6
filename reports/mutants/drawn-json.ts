import type { DrawnTable } from '../../scenarios/index.ts';
import { drawnSchemaId, drawnSchemaVersion } from './drawn-schema.ts';
import { shownJson } from './mutants-json.ts';

/** What was seen of what a seed drew, as JSON. */
export function renderDrawnJson(table: DrawnTable): string {
  return shownJson({ $schema: drawnSchemaId, schemaVersion: drawnSchemaVersion, ...table });
}

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { TargetFile } from './target-file.ts';

/** Where editors find the JSON Schema of target files. */
export const targetSchemaPath = fileURLToPath(new URL('../target.schema.json', import.meta.url));

/** The grammar of target files as JSON Schema (draft 7, which every editor's YAML support knows), as text. */
export function targetSchemaText(): string {
  const { definitions, $schema, ...generated } = z.toJSONSchema(TargetFile, {
    target: 'draft-7',
    io: 'input',
  }) as Record<string, unknown>;
  const own = (definitions as Record<string, object> | undefined)?.TargetFile ?? generated;
  return `${JSON.stringify({ $schema, ...own }, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(targetSchemaPath, targetSchemaText());

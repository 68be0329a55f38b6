import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BaselineFile } from './grammar.ts';

/** Where editors find the JSON Schema of baseline files. */
export const baselineSchemaPath = fileURLToPath(new URL('../baseline.schema.json', import.meta.url));

/** The grammar of baseline files as JSON Schema (draft 7, which every editor's YAML support knows). */
export function baselineSchema(): object {
  return z.toJSONSchema(BaselineFile, { target: 'draft-7', io: 'input', reused: 'inline' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(baselineSchemaPath, `${JSON.stringify(baselineSchema(), null, 2)}\n`);
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { RuleFile } from './rule.ts';
import { rulesRoom } from './rules.ts';

/** Where editors find the JSON Schema of files of rules. */
export const schemaPath = join(rulesRoom, 'rules.schema.json');

/** The grammar of files of rules as JSON Schema (draft 7), as text. */
export function schemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(RuleFile, { target: 'draft-7', io: 'input' }), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(schemaPath, schemaText());

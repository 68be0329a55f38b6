/** Writes the published schemas anew: `node --import tsx reports/commands/write-schema.ts`. */
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../writing/output-file.ts';
import { publishedSchemas } from './published-schemas.ts';

for (const { file, text } of publishedSchemas)
  await writeWhole(fileURLToPath(new URL(`../${file}`, import.meta.url)), text);

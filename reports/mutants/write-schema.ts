/** Writes `mutants.schema.json` and `generated.schema.json` anew: `node --import tsx reports/mutants/write-schema.ts`. */
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../output-file.ts';
import { generatedSchemaText } from './generated-schema.ts';
import { mutantsSchemaText } from './schema.ts';

await writeWhole(fileURLToPath(new URL('mutants.schema.json', import.meta.url)), mutantsSchemaText());
await writeWhole(fileURLToPath(new URL('generated.schema.json', import.meta.url)), generatedSchemaText());

/** Writes `mutants.schema.json`, `generated.schema.json` and `drawn.schema.json` anew: `node --import tsx reports/mutants/write-schema.ts`. */
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../output-file.ts';
import { drawnSchemaText } from './drawn-schema.ts';
import { generatedSchemaText } from './generated-schema.ts';
import { mutantsSchemaText } from './schema.ts';

await writeWhole(fileURLToPath(new URL('mutants.schema.json', import.meta.url)), mutantsSchemaText());
await writeWhole(fileURLToPath(new URL('generated.schema.json', import.meta.url)), generatedSchemaText());
await writeWhole(fileURLToPath(new URL('drawn.schema.json', import.meta.url)), drawnSchemaText());

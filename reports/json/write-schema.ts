/** Writes `report.schema.json` anew: `node --import tsx reports/json/write-schema.ts`. */
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../output-file.ts';
import { reportSchemaText } from './schema.ts';

await writeWhole(fileURLToPath(new URL('../report.schema.json', import.meta.url)), reportSchemaText());

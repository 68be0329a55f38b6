/** The formats that are published as JSON schemas, beside this folder. */

import { runReport, schemaTextOf } from '../formats/json-reporter.ts';
import { drawnReport, generatedReport, killReport } from '../mutants/reports.ts';

export const publishedSchemas = [
  { file: 'report.schema.json', text: schemaTextOf(runReport) },
  { file: 'mutants/mutants.schema.json', text: schemaTextOf(killReport) },
  { file: 'mutants/generated.schema.json', text: schemaTextOf(generatedReport) },
  { file: 'mutants/drawn.schema.json', text: schemaTextOf(drawnReport) },
];

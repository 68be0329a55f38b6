/** The formats that are published as JSON schemas, beside this folder. */
import { DrawnReport, drawnFormat, Generated, generatedFormat, killFormat, Mutants } from '../mutants/schema.ts';
import { Report, schemaId, schemaTextOf } from './schema.ts';

export const publishedSchemas = [
  { file: 'report.schema.json', text: schemaTextOf(Report, schemaId) },
  { file: 'mutants/mutants.schema.json', text: schemaTextOf(Mutants, killFormat.$schema) },
  { file: 'mutants/generated.schema.json', text: schemaTextOf(Generated, generatedFormat.$schema) },
  { file: 'mutants/drawn.schema.json', text: schemaTextOf(DrawnReport, drawnFormat.$schema) },
];

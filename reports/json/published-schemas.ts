/** The formats that are published as JSON schemas, beside this folder. */
import { drawnReport, generatedReport, killReport } from '../mutants/schema.ts';
import { Report, schemaId, schemaTextOf } from './schema.ts';

export const publishedSchemas = [
  { file: 'report.schema.json', text: schemaTextOf(Report, schemaId) },
  { file: 'mutants/mutants.schema.json', text: schemaTextOf(killReport.type, killReport.format.$schema) },
  { file: 'mutants/generated.schema.json', text: schemaTextOf(generatedReport.type, generatedReport.format.$schema) },
  { file: 'mutants/drawn.schema.json', text: schemaTextOf(drawnReport.type, drawnReport.format.$schema) },
];

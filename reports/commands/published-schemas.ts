/** The formats published as JSON schemas, in the folder above. */

import { z } from 'zod';
import { listedKinds } from '../../scenarios/file-kinds.ts';
import { checkFlags } from '../flags/check-flags.ts';
import { runReport, schemaTextOf } from '../formats/json-reporter.ts';
import { drawnReport, generatedReport, killReport } from '../mutants/reports.ts';
import { planGrammar } from '../plan/plan-grammar.ts';

/** For hand-written files: draft 7, which every editor's YAML support knows. */
const planSchema = z.toJSONSchema(planGrammar(checkFlags), { target: 'draft-7', io: 'input' });

const repositoryUrl = 'https://raw.githubusercontent.com/cselab/cselab/main';

/** Schemas by file names, in the form of SchemaStore. */
const catalog = {
  $schema: 'https://json.schemastore.org/schema-catalog.json',
  version: 1,
  schemas: listedKinds.map(({ kind, schema, listed: [names, says] }) => ({
    name: `cselab ${kind}`,
    description: `A file of cselab: ${says}`,
    fileMatch: [`**/conformance/${names}.yaml`],
    url: `${repositoryUrl}/${schema}.schema.json`,
  })),
};

export const publishedSchemas = [
  { file: 'report.schema.json', text: schemaTextOf(runReport) },
  { file: 'mutants/mutants.schema.json', text: schemaTextOf(killReport) },
  { file: 'mutants/generated.schema.json', text: schemaTextOf(generatedReport) },
  { file: 'mutants/drawn.schema.json', text: schemaTextOf(drawnReport) },
  { file: 'plan/plan.schema.json', text: `${JSON.stringify(planSchema, null, 2)}\n` },
  { file: 'schema-catalog.json', text: `${JSON.stringify(catalog, null, 2)}\n` },
];

/** The formats that are published as JSON schemas, beside this folder. */

import { z } from 'zod';
import { checkFlags } from '../flags/check-flags.ts';
import { runReport, schemaTextOf } from '../formats/json-reporter.ts';
import { drawnReport, generatedReport, killReport } from '../mutants/reports.ts';
import { planGrammar } from '../plan/plan-grammar.ts';

/** Of what people write: draft 7 is what every editor's YAML support knows. */
const planSchema = z.toJSONSchema(planGrammar(checkFlags), { target: 'draft-7', io: 'input' });

/** What editors are offered by the names of files that `cselab init` and the guides write, as SchemaStore lists it. */
const written = [
  ['scenario', 'a oneM2M scenario: requests, and what the responses should be', 'scenarios/scenario', '*scenario*'],
  ['target', 'how a CSE is reached, and what it claims to have', 'scenarios/target', 'target*'],
  ['plan', 'what a run judges, and how strictly', 'reports/plan/plan', 'plan*'],
  ['baseline', 'known deviations of a CSE', 'scenarios/baseline', 'baseline*'],
  ['own rules', 'requirements of a team, and rules that judge them', 'scenarios/own-rules', '*rules*'],
] as const;

const place = 'https://raw.githubusercontent.com/cselab/cselab/main';

const catalog = {
  $schema: 'https://json.schemastore.org/schema-catalog.json',
  version: 1,
  schemas: written.map(([name, what, path, files]) => ({
    name: `cselab ${name}`,
    description: `A file of cselab: ${what}`,
    fileMatch: [`**/conformance/${files}.yaml`],
    url: `${place}/${path}.schema.json`,
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

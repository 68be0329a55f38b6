/**
 * JSON Schemas for editors, from the grammars of the files that people write for cselab. Rewrite them with
 * `node --import tsx scenarios/schemas.ts`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DutyFile } from './applications/duty.ts';
import { BaselineFile } from './baseline/grammar.ts';
import { scenarioSchema } from './engine/grammar/schema.ts';
import { OwnRuleFile, RuleFile } from './oracle/rule.ts';
import { TargetFile } from './target-files/target-file.ts';

/** The YAML support of every editor knows draft 7. */
const schemaOf = (grammar: z.ZodType) => z.toJSONSchema(grammar, { target: 'draft-7', io: 'input' });

export const editorSchemas = [
  { file: 'scenario.schema.json', schema: scenarioSchema() },
  { file: 'target.schema.json', schema: schemaOf(TargetFile) },
  { file: 'baseline.schema.json', schema: schemaOf(BaselineFile) },
  { file: 'rules/rules.schema.json', schema: schemaOf(RuleFile) },
  { file: 'rules/application.schema.json', schema: schemaOf(DutyFile) },
  { file: 'own-rules.schema.json', schema: schemaOf(OwnRuleFile) },
].map(({ file, schema }) => ({
  path: fileURLToPath(new URL(file, import.meta.url)),
  text: `${JSON.stringify(schema, null, 2)}\n`,
}));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, text } of editorSchemas) writeFileSync(path, text);
}

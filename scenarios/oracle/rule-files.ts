/** Reads rule files; demands are still words. */
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { type Problem, ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { getOrAdd } from '../engine/basics/memoize.ts';
import { validate } from '../engine/files/issues.ts';
import { cached } from '../engine/files/load-cache.ts';
import { fillNames } from '../engine/files/rows.ts';
import { readSource } from '../engine/files/source-file.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { SourceLocation } from '../engine/results/result.ts';
import { type TypeName, typeFacts } from './observation/resource-types.ts';
import { type Rule, RuleFile } from './rule.ts';

/** A rule for one requirement. */
export interface StatedRule extends Pick<Rule, 'when' | 'then'> {
  readonly requirement: string;
  readonly after: readonly string[];
  readonly unless: readonly string[];
  readonly place: SourceLocation;
  /** Positions for errors in the rule, or in its demand. */
  readonly problems: Readonly<Record<'rule' | 'demand', Problem>>;
}

interface RuleFileRead {
  readonly rules: readonly StatedRule[];
  readonly problems: readonly Problem[];
}

const rulesFolder = fileURLToPath(new URL('../rules', import.meta.url));
const read = new Map<string, readonly StatedRule[]>();
/** Modules that the cached result depends on, apart from the file loader. */
const readers = ['rule-files', 'rule', 'observation/resource-types'].map((name) =>
  fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)),
);

/** In file order; read once. Throws ScenarioFilesError. */
export function statedRules(file: Dialect | 'gaps'): readonly StatedRule[] {
  return getOrAdd(read, file, () => {
    const path = join(rulesFolder, `${file}.yaml`);
    return soundIn(cached({ files: [path, ...readers] }, () => readRuleFile(path, RuleFile)));
  });
}

/** `grammar`: default: that of the project's own files. Throws ScenarioFilesError. */
export function readStatedRules(path: string, grammar: RuleGrammar = RuleFile): readonly StatedRule[] {
  return soundIn(readRuleFile(path, grammar));
}

function soundIn({ rules, problems }: RuleFileRead): readonly StatedRule[] {
  if (problems.length > 0) throw new ScenarioFilesError(problems);
  return rules;
}

type RuleGrammar = z.ZodType<Pick<z.infer<typeof RuleFile>, 'types' | 'rules'>>;

function readRuleFile(path: string, grammar: RuleGrammar): RuleFileRead {
  const { source, problems } = readSource(path);
  if (source === undefined) return { rules: [], problems };
  const { value, problems: errors } = validate(grammar, source);
  if (value === undefined) return { rules: [], problems: errors };
  const rules = value.rules.flatMap((rule, index) => {
    const place = source.place(['rules', index, 'rule']);
    const problemIn = (part: 'rule' | 'then') => source.problem(['rules', index, part], '');
    const problems = { rule: problemIn('rule'), demand: problemIn('then') };
    return forEach(rule)
      .flatMap((one) => forEachType(one, value.types))
      .map(({ rule: requirement, when, then, after = [], unless = [] }) => ({
        ...{ requirement, when, then, after, unless, place, problems },
      }));
  });
  return { rules, problems: [] };
}

function forEach({ each, ...rule }: Rule): Rule[] {
  if (each === undefined) return [rule];
  return each.map((word) => JSON.parse(JSON.stringify(rule).replaceAll('${each}', word)) as Rule);
}

/** `${type}` stands for the types of the rule, or else for all types of the file. */
function forEachType(rule: Rule, typeNames: readonly TypeName[]): Rule[] {
  if (!JSON.stringify(rule).includes('${type')) return [rule];
  const types = rule.when.type === undefined ? typeNames : [rule.when.type].flat();
  return types.map((name) => {
    const { number, root } = typeFacts[name];
    const known = new Map(Object.entries({ type: name, 'type.number': number, 'type.root': root }));
    return fillNames({ ...rule, when: { ...rule.when, type: name } }, known) as Rule;
  });
}

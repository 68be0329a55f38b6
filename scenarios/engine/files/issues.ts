import { z } from 'zod';
import { isObject } from '../basics/body.ts';
import { didYouMean, type Problem, ScenarioFilesError } from '../basics/diagnostics.ts';
import { ownValue } from '../basics/own-value.ts';
import { verbs } from '../grammar/grammar-step.ts';
import { type DataPath, readSource, type SourceFile } from './source-file.ts';

type Issue = z.core.$ZodIssue;

/** Validates a file; each problem points at the wrong key or value. */
export function validate<T>(schema: z.ZodType<T>, source: SourceFile): { value?: T; problems: Problem[] } {
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return { value: parsed.data, problems: [] };
  const all = parsed.error.issues.flatMap((issue) => leavesOf(issue, [], source.value));
  const leaves = all.filter((leaf) => !isFollowUp(leaf, all));
  return { problems: leaves.flatMap(({ issue, path }) => problemsOf(issue, path, schema, source)) };
}

/** A file, and its value by a schema. Throws ScenarioFilesError if it is invalid. */
export function readValid<T>(path: string, schema: z.ZodType<T>): { value: T; source: SourceFile } {
  const { source, problems } = readSource(path);
  const { value, problems: errors } = source === undefined ? { problems } : validate(schema, source);
  if (source === undefined || value === undefined) throw new ScenarioFilesError(errors);
  return { value, source };
}

interface Leaf {
  readonly issue: Issue;
  readonly path: DataPath;
}

/** "Exactly one key" adds nothing to an unknown key. */
function isFollowUp({ issue, path }: Leaf, all: readonly Leaf[]): boolean {
  const here = path.join('/');
  return (
    issue.code === 'custom' && all.some((one) => one.issue.code === 'unrecognized_keys' && one.path.join('/') === here)
  );
}

/** For a union, only the issues of the branch that the author most probably meant. */
function leavesOf(issue: Issue, above: DataPath, root: unknown): Leaf[] {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union' || isVerbProblem(path, root)) return [{ issue, path }];
  const branches = branchesOf(issue).filter((branch) => !branch.some(isRootMismatch));
  const best = branches.sort((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length)[0];
  return best === undefined ? [{ issue, path }] : best.flatMap((inner) => leavesOf(inner, path, root));
}

/** Including those of nested unions. */
function branchesOf(union: Issue): Issue[][] {
  if (union.code !== 'invalid_union') return [];
  return union.errors.flatMap((branch) => {
    const [only, ...others] = branch;
    const isUnion = only?.code === 'invalid_union' && only.path.length === 0 && others.length === 0;
    return isUnion ? branchesOf(only) : [branch];
  });
}

function isRootMismatch(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_union');
}

function unknownKeys(branch: readonly Issue[]): number {
  const atRoot = branch.filter(({ path }) => path.length === 0);
  return atRoot.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])).length;
}

function problemsOf(issue: Issue, path: DataPath, schema: z.ZodType, source: SourceFile): Problem[] {
  const value = valueAt(source.value, path);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path, value);
    return issue.keys.map((key) =>
      source.problem([...path, key], `unknown key "${key}"${didYouMean(key, known) || listOf(known)}`, { key: true }),
    );
  }
  if (isVerbProblem(path, source.value)) return [source.problem(path, verbMessage(value))];
  if (issue.code === 'invalid_key') return [source.problem(path, keyMessage(path), { key: true })];
  return [source.problem(path, messageOf(issue, value, path))];
}

function messageOf(issue: Issue, value: unknown, path: DataPath): string {
  if (value === undefined) return `"${String(path.at(-1) ?? '')}" is missing`;
  if (issue.code === 'invalid_type') return `expected ${article(issue.expected)}, found ${nameOf(value)}`;
  if (issue.code === 'invalid_value') return oneOf(issue.values.map(String), value);
  if (issue.code === 'invalid_union') return `expected ${expectedIn(issue).join(', ')}; found ${nameOf(value)}`;
  if (issue.code === 'too_small' && issue.origin === 'array') return 'at least one element is needed';
  if (issue.code === 'too_small') return `expected a number from ${issue.minimum}, found ${nameOf(value)}`;
  if (issue.code === 'too_big') return `expected a number up to ${issue.maximum}, found ${nameOf(value)}`;
  if (issue.code === 'invalid_format' && path.at(-1) === 'hex') return 'expected pairs of hexadecimal digits';
  return issue.message;
}

/** What a union accepts, where nothing in the value tells which of it is meant. */
function expectedIn(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [article(issue.expected)];
  const branches = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  return [...new Set(branches.filter(({ path }) => path.length === 0).flatMap(expectedIn))];
}

function oneOf(values: readonly string[], value: unknown): string {
  const known = values.map((known) => `"${known}"`).join(', ');
  return `${nameOf(value)} is none of ${known}${typeof value === 'string' ? didYouMean(value, values) : ''}`;
}

function keyMessage(path: DataPath): string {
  const key = String(path.at(-1));
  if (path[0] === 'actors') return `the actor name "${key}" may only have small letters and digits`;
  if (path[0] === 'sections')
    return `the id "${key}" needs two or more words of small letters and digits, joined by ".", such as house.named`;
  return `the key "${key}" may only have small letters and digits, in words joined by "-"`;
}

const isStepPath = (path: DataPath): boolean =>
  (path.length === 2 && path[0] === 'given') ||
  (path.length === 4 && path[0] === 'scenarios' && path[2] === 'steps') ||
  (path.length === 6 && path[0] === 'scenarios' && path[4] === 'steps');

function verbsOf(step: unknown): string[] {
  return isObject(step) ? verbs.filter((verb) => verb in step) : [];
}

function isVerbProblem(path: DataPath, root: unknown): boolean {
  const step = valueAt(root, path);
  if (!isStepPath(path) || !isObject(step)) return false;
  const mayRepeat = path.length === 4;
  return !(mayRepeat && 'each' in step) && verbsOf(step).length !== 1;
}

function verbMessage(step: unknown): string {
  const found = verbsOf(step);
  if (isObject(step) && 'each' in step) return 'steps are repeated neither under "given" nor within another "each"';
  if (found.length > 1) return `a step does one thing, this one has ${found.map((verb) => `"${verb}"`).join(' and ')}`;
  const guesses = isObject(step) ? Object.keys(step).map((key) => didYouMean(key, verbs)) : [];
  return `a step needs one of ${verbs.join(', ')}${guesses.find((guess) => guess !== '') ?? ''}`;
}

const listOf = (known: readonly string[]): string => (known.length === 0 ? '' : `; known keys: ${known.join(', ')}`);

/** The keys that the schema knows at `path`, from the alternative closest to the value. */
function knownKeys(schema: z.core.$ZodType, path: DataPath, value: unknown): string[] {
  let here = alternatives(schema);
  for (const segment of path) here = here.flatMap((one) => childOf(one, segment)).flatMap(alternatives);
  const present = isObject(value) ? Object.keys(value) : [];
  const shared = (keys: string[]) => keys.filter((key) => present.includes(key)).length;
  const shapes = here.flatMap((one) => (one instanceof z.ZodObject ? [Object.keys(one.shape)] : []));
  // The first key of a step is its verb.
  const isMeant = ([first = '']: string[]) => Number(present.includes(first));
  return shapes.sort((a, b) => isMeant(b) - isMeant(a) || shared(b) - shared(a))[0] ?? [];
}

function alternatives(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives);
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return alternatives(schema.unwrap());
  return [schema];
}

function childOf(schema: z.core.$ZodType, segment: PropertyKey): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return [ownValue(schema.shape, String(segment)) ?? []].flat();
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (schema instanceof z.ZodArray) return [schema.element];
  return [];
}

function valueAt(root: unknown, path: DataPath): unknown {
  return path.reduce<unknown>((value, segment) => (value as Record<PropertyKey, unknown> | null)?.[segment], root);
}

const articles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'a text',
    number: 'a number',
    int: 'an integer',
    boolean: 'true or false',
    array: 'a list',
    tuple: 'a list',
    object: 'a map',
    record: 'a map',
    null: 'nothing',
  }),
);
const article = (expected: string): string => articles.get(expected) ?? expected;

function nameOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return value.includes('\n') ? 'a text of several lines' : `"${value}"`;
  return `${typeof value === 'number' ? 'the number ' : ''}${String(value)}`;
}

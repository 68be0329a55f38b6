/** Reads and writes plan files. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { Document, isMap, parseDocument } from 'yaml';
import { changesOf, type Lock, type LockChange, type LockPart } from '../../scenarios/checking/fingerprints.ts';
import { type LockedPlan, lockOf } from '../../scenarios/checking/lock.ts';
import { type Problem, ScenarioFilesError } from '../../scenarios/engine/basics/diagnostics.ts';
import { validate } from '../../scenarios/engine/files/issues.ts';
import { parseSource, readSource, type SourceFile } from '../../scenarios/engine/files/source-file.ts';
import type { CheckOptions } from '../../scenarios/index.ts';
import { targetFilePath } from '../../scenarios/results.ts';
import { UsageError } from '../../scenarios/words.ts';
import { groupedBy } from '../facts/wording.ts';
import { checkFlags } from '../flags/check-flags.ts';
import { say } from '../writing/output-file.ts';
import { isPath, type PlannedFlag, planGrammar, plannedFlags } from './plan-grammar.ts';

export interface ReadPlan {
  /** Its path as given. */
  readonly path: string;
  readonly text: string;
  readonly ids: readonly string[];
  /** Values of the flags of `cselab check`, by name. Paths are relative to the working directory. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly lock?: Lock;
  readonly source: SourceFile;
}

/** Of ids. */
const isFile = (id: string) => /\.ya?ml$/.test(id);

/** `text`: of a file that does not exist yet. Throws ScenarioFilesError with all its problems. */
export function readPlan(path: string, text?: string): ReadPlan {
  const full = resolve(path);
  const { source, problems } = text === undefined ? readSource(full) : parseSource(path, full, text);
  if (source === undefined) throw new ScenarioFilesError(problems);
  const { value, problems: issues } = validate(planGrammar(checkFlags), source);
  if (value === undefined) throw new ScenarioFilesError(issues);
  const reading = new Reading(dirname(path), source);
  const { lock, target, ids = [] } = value;
  const chosen = [ids]
    .flat()
    .map((id, at) => (isFile(id) ? reading.file(id, typeof ids === 'string' ? ['ids'] : ['ids', at]) : id));
  const entries = new Map(Object.entries(value));
  const flags = [...plannedFlags(checkFlags)].map(
    ([key, flag]) => [flag.name, reading.flag(key, flag, entries.get(key))] as const,
  );
  const file = typeof target === 'string' ? reading.target(target) : target && path;
  if (reading.problems.length > 0) throw new ScenarioFilesError(reading.problems);
  const specified = [...flags, ['target', file] as const].filter(([, one]) => one !== undefined);
  const content = text ?? readFileSync(path, 'utf8');
  return { path, text: content, ids: chosen, flags: Object.fromEntries(specified), source, ...(lock && { lock }) };
}

/** The contents of a plan as flags; collects its problems. */
class Reading {
  readonly problems: Problem[] = [];
  readonly #folder: string;
  readonly #source: SourceFile;

  constructor(folder: string, source: SourceFile) {
    this.#folder = folder;
    this.#source = source;
  }

  file(name: string, at: readonly PropertyKey[]): string {
    const path = join(this.#folder, name);
    if (!existsSync(path)) this.#wrong(at, `there is no file "${name}" beside this one`);
    return path;
  }

  /** A file, or a shipped product, whatever lies in the working directory. */
  target(name: string): string {
    const path = join(this.#folder, name);
    if (existsSync(path)) return path;
    try {
      if (targetFilePath(name) !== name) return name;
      this.#wrong(['target'], `there is no target file "${name}" beside this one`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#wrong(['target'], error.message);
    }
    return name;
  }

  /** Undefined if the flag is not given. */
  flag(key: string, { options }: PlannedFlag, value: unknown): unknown {
    if (value === undefined) return undefined;
    if (typeof value === 'boolean') return value || options.some(({ negate }) => negate) ? value : undefined;
    const option = options.find(({ negate }) => !negate);
    const words = [value].flat().map(String);
    if (/url$/.test(key) && words.some((word) => /^[a-z+]+:\/\/[^/?#]*@/i.test(word)))
      this.#wrong([key], 'credentials do not stand in a plan; give them where it is run');
    const values = option && isPath(option) ? words.map((word) => this.#resolveName(word, key)) : words;
    try {
      return values.reduce<unknown>((former, word) => option?.parseArg?.(word, former) ?? word, undefined);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      return this.#wrong([key], error.message);
    }
  }

  /** Anything but a path is the name of a package, or of a profile. */
  #resolveName(word: string, key: string): string {
    const isName = /^(rules|profile)$/.test(key) && /^(@|[\w-]+(\/|$))/.test(word);
    return isName && !existsSync(join(this.#folder, word)) ? word : this.file(word, [key]);
  }

  #wrong(at: readonly PropertyKey[], message: string): undefined {
    this.problems.push(this.#source.problem(at, message));
  }
}

/** The same plan with another lock; all hand-written text stays. */
export function withLock(text: string, lock: Lock): string {
  const document = parseDocument(text);
  document.set('lock', document.createNode(lock));
  if (isMap(document.contents)) document.contents.flow = false;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** The contents of a new plan, by its keys. Paths are relative to the working directory. */
export interface NewPlan {
  readonly target?: string;
  readonly ids: readonly string[];
  readonly flags: ReadonlyArray<readonly [key: string, value: unknown]>;
}

const schema = fileURLToPath(new URL('plan.schema.json', import.meta.url));

/** A file to be written at `path`. */
export function planText(path: string, { target, ids, flags }: NewPlan): string {
  const beside = (name: string) => relative(dirname(resolve(path)), resolve(name)).replaceAll('\\', '/');
  const near = (name: string) => (existsSync(name) ? beside(name) : name);
  const table = plannedFlags(checkFlags);
  const entries = flags.map(([key, value]) => {
    const isPathFlag = table.get(key)?.options.some(isPath);
    const words = isPathFlag && typeof value !== 'boolean' ? [value].flat().map((one) => near(String(one))) : value;
    return [key, Array.isArray(words) && words.length === 1 ? words[0] : words] as const;
  });
  const all = {
    ...(target && { target: near(target) }),
    ...(ids.length > 0 && { ids: ids.map((id) => (isFile(id) ? near(id) : id)) }),
  };
  const document = new Document({ ...all, ...Object.fromEntries(entries) });
  document.commentBefore = ` yaml-language-server: $schema=${beside(schema)}\n What \`cselab check --plan\` checks. \`cselab plan lock\` writes down every case of it.`;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Fewer excuses of a baseline make a run stricter. */
const weakens = ({ part, kind }: LockChange): boolean => part !== 'baseline' || kind !== 'gone';

/** How many of a sort are named if all of them fail a run. */
const most = 20;

/**
 * What would be checked, if it matches the plan's lock; undefined for a plan without a lock. Throws a ScenarioFilesError with a problem
 * for each difference. Sends nothing.
 */
export async function verifyLock(plan: ReadPlan, options: CheckOptions): Promise<LockedPlan | undefined> {
  if (plan.lock === undefined) return undefined;
  const locked = await lockOf(options);
  const problems = problemsOf(plan, locked);
  if (problems.length > 0) throw new ScenarioFilesError(problems);
  const { cselab } = locked.lock;
  if (cselab !== plan.lock.cselab)
    say(`${plan.path} was locked with cselab ${plan.lock.cselab}; ${cselab} checks the same`);
  return locked;
}

export function problemsOf({ lock, source }: ReadPlan, locked: LockedPlan): Problem[] {
  const changes = lock === undefined ? [] : changesOf(lock, locked.lock).filter(weakens);
  return [...groupedBy(changes, ({ part, kind }) => `${part} ${kind}`).values()].flatMap((all) => {
    const problems = all.slice(0, most).map((change) => {
      const at = change.kind === 'added' ? [] : [change.id];
      return source.problem(['lock', change.part, ...at], changeText(change, locked), { key: true });
    });
    const [last] = problems.slice(-1);
    const more = all.length - most;
    return more > 0 && last ? [...problems, { ...last, message: `and ${more} more of this sort` }] : problems;
  });
}

type Text = (change: LockChange, reason: string) => string;

/** Settings have only values. */
const setting =
  (subject: (id: string) => string): Text =>
  ({ id, was = 'not said', is = 'not said' }) =>
    `changed: ${subject(id)} was ${was}, and is ${is}`;

const cases = (noun: string, content: string): Readonly<Record<LockChange['kind'], Text>> => ({
  gone: ({ id }, reason) => `skipped: ${noun} ${id} is no longer checked${reason}`,
  added: ({ id }) => `added: ${noun} ${id}`,
  changed: ({ id }) => `changed: ${noun} ${id}: ${content}`,
});

const everyKind = (text: Text) => ({ gone: text, added: text, changed: text });

const texts: Readonly<Record<LockPart, Readonly<Record<LockChange['kind'], Text>>>> = {
  configuration: everyKind(setting((id) => id)),
  claims: everyKind(setting((id) => `the claim to have ${id}`)),
  baseline: {
    gone: ({ id }) => `stricter: the baseline excuses no longer ${id}`,
    added: ({ id }) => `loosened: the baseline excuses ${id}`,
    changed: ({ id }) => `loosened: the baseline excuses otherwise, or until another day, ${id}`,
  },
  scenarios: cases('scenario', 'what it sends, or what is checked of that'),
  requirements: cases('requirement', 'what it demands, or a rule that checks it'),
};

/** A change as a line; `locked` knows why something is skipped. */
export function changeText(change: LockChange, locked?: LockedPlan): string {
  const skip = locked?.skipped.find(({ scenario }) => scenario === change.id);
  return texts[change.part][change.kind](change, skip === undefined ? '' : ` (${skip.state}: ${skip.reason})`);
}

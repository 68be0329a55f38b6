import { dataOf, listOf } from '../basics/body.ts';
import { didYouMean, type Problem } from '../basics/diagnostics.ts';
import {
  administrator,
  builtInNames,
  checkTexts,
  inboxNames,
  lettersNamed,
  namesIn,
  originatorName,
  requestTexts,
  type TextAt,
  texts,
  timeFromNow,
} from '../grammar/names.ts';
import { writtenSteps } from './rows.ts';
import type { DataPath, SourceFile } from './source-file.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * Checks that actors, captures of earlier steps and requirements exist that a scenario file refers to. Works on the data as
 * read, so that it reports even where the grammar finds problems as well.
 */
export function checkReferences(source: SourceFile, requirements: ReadonlySet<string>): Problem[] {
  const file = dataOf(source.value);
  const actors = Object.keys(dataOf(file.actors));
  const inboxes = Object.keys(dataOf(file.inboxes));
  const scope: Scope = { source, requirements, actors, inboxes, problems: [] };
  for (const name of inboxes.filter((one) => actors.includes(one)))
    report(scope, ['inboxes', name], `"${name}" is the name of an actor as well`, { key: true });
  const names = checkActors(file, scope);
  listOf(file.given).forEach((step, index) => {
    if ('check' in dataOf(step))
      report(scope, ['given', index, 'check'], 'a step under "given" prepares; it carries no checks', { key: true });
    checkStep(step, ['given', index], names, scope);
  });
  for (const [key, scenario] of Object.entries(dataOf(file.scenarios))) {
    const known = new Set(names);
    for (const { step, path, names: more } of writtenSteps(dataOf(scenario).steps, ['scenarios', key, 'steps'])) {
      for (const name of more) known.add(name);
      checkStep(step, path, known, scope);
    }
  }
  return scope.problems;
}

interface Scope {
  readonly source: SourceFile;
  readonly requirements: ReadonlySet<string>;
  readonly actors: readonly string[];
  readonly inboxes: readonly string[];
  readonly problems: Problem[];
}

/** Returns the names that every step knows. */
function checkActors(file: Data, scope: Scope): Set<string> {
  const known = new Set<string>([...builtInNames, ...scope.actors, ...scope.inboxes.flatMap(inboxNames)]);
  // An actor may refer to the originators of those before it.
  for (const [name, actor] of Object.entries(dataOf(file.actors))) {
    if (isBuiltIn(name)) report(scope, ['actors', name], `"${name}" is a built-in name`, { key: true });
    const { originator, attributes, or } = dataOf(actor);
    checkNames(texts(originator, ['originator']), ['actors', name], known, scope);
    if (or === name || (typeof or === 'string' && !scope.actors.includes(or)))
      report(scope, ['actors', name, 'or'], `there is no other actor "${or}"${didYouMean(or, scope.actors)}`);
    known.add(originatorName(name));
    checkNames(texts(attributes, ['attributes']), ['actors', name], known, scope);
  }
  return known;
}

/** Adds the captures of the step to `known`; its own checks may use them already. */
function checkStep(value: unknown, path: DataPath, known: Set<string>, scope: Scope): void {
  const step = dataOf(value);
  checkMembers(step, path, scope);
  checkPaths(step, path, scope);
  checkNames(requestTexts(step), path, known, scope);
  for (const name of Object.keys(dataOf(step.capture))) {
    if (isBuiltIn(name) || scope.actors.includes(name)) {
      const owner = isBuiltIn(name) ? 'a built-in name' : 'the name of an actor';
      report(scope, [...path, 'capture', name], `"${name}" is ${owner}`, { key: true });
    }
    known.add(name);
  }
  checkAnswer(step, path, known, scope);
  for (const part of ['check', 'control'] as const) {
    for (const [id, check] of Object.entries(dataOf(step[part]))) checkCheck(id, check, [...path, part], known, scope);
  }
}

/** The values of captures, rows and repetitions may begin with a slash, those of built-in names and actors never do. */
function checkPaths(step: Data, above: DataPath, scope: Scope): void {
  for (const part of ['in', 'retrieve', 'update', 'delete', 'discover']) {
    const { [part]: text } = step;
    if (typeof text !== 'string' || text.startsWith('/')) continue;
    const [, name] = /^\$\{([^}]*)\}/.exec(text) ?? [];
    if (name === undefined || isBuiltIn(name) || scope.actors.includes(name))
      report(scope, [...above, part], 'a path begins with a slash');
  }
}

/** The name of an answer is unique, so that a file of answers can refer to it. */
function checkAnswer({ ask, answer: name }: Data, path: DataPath, known: Set<string>, scope: Scope): void {
  if (ask === undefined || typeof name !== 'string') return;
  if (known.has(name)) report(scope, [...path, 'answer'], `"${name}" is in use already`);
  known.add(name);
}

function checkMembers({ as: actor, notified: inbox }: Data, path: DataPath, scope: Scope): void {
  const actors = [...scope.actors, administrator];
  if (typeof actor === 'string' && !actors.includes(actor)) {
    report(scope, [...path, 'as'], `there is no actor "${actor}"${didYouMean(actor, actors)}`);
  }
  if (typeof inbox === 'string' && !scope.inboxes.includes(inbox)) {
    report(scope, [...path, 'notified'], `there is no inbox "${inbox}"${didYouMean(inbox, scope.inboxes)}`);
  }
}

function checkCheck(id: string, check: unknown, above: DataPath, known: Set<string>, scope: Scope): void {
  const path = [...above, id];
  if (!scope.requirements.has(id)) {
    report(scope, path, `there is no requirement "${id}"${didYouMean(id, scope.requirements)}`, { key: true });
  }
  checkNames(checkTexts(check), path, known, scope);
}

function checkNames(texts: readonly TextAt[], above: DataPath, known: ReadonlySet<string>, scope: Scope): void {
  for (const { path, text } of texts) {
    for (const name of namesIn(text)) {
      if (known.has(name) || timeFromNow(name) !== undefined || lettersNamed(name) !== undefined) continue;
      const message = `nothing before this step has the name "${name}"${didYouMean(name, known)}`;
      report(scope, [...above, ...path], message, { within: `\${${name}}` });
    }
  }
}

function report(scope: Scope, path: DataPath, message: string, pointAt?: { key?: boolean; within?: string }): void {
  scope.problems.push(scope.source.problem(path, message, pointAt));
}

function isBuiltIn(name: string): boolean {
  return builtInNames.some((known) => known === name);
}

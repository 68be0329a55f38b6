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
  const context: ReferenceContext = { source, requirements, actors, inboxes, problems: [] };
  checkInboxes(context);
  checkActors(file, context);
  const names = new Set<string>([
    ...builtInNames,
    ...actors,
    ...actors.map(originatorName),
    ...inboxes.flatMap(inboxNames),
  ]);
  listOf(file.given).forEach((step, index) => {
    if ('check' in dataOf(step))
      report(context, ['given', index, 'check'], 'a step under "given" prepares; it carries no checks', { key: true });
    checkStep(step, ['given', index], names, context);
  });
  for (const [key, scenario] of Object.entries(dataOf(file.scenarios))) {
    const known = new Set(names);
    for (const { step, path, names: more } of writtenSteps(dataOf(scenario).steps, ['scenarios', key, 'steps'])) {
      for (const name of more) known.add(name);
      checkStep(step, path, known, context);
    }
  }
  return context.problems;
}

interface ReferenceContext {
  readonly source: SourceFile;
  readonly requirements: ReadonlySet<string>;
  readonly actors: readonly string[];
  readonly inboxes: readonly string[];
  readonly problems: Problem[];
}

function checkInboxes(context: ReferenceContext): void {
  for (const name of context.inboxes.filter((one) => context.actors.includes(one))) {
    report(context, ['inboxes', name], `"${name}" is the name of an actor as well`, { key: true });
  }
}

function checkActors(file: Data, context: ReferenceContext): void {
  const known = new Set<string>([...builtInNames, ...context.actors, ...context.inboxes.flatMap(inboxNames)]);
  // An actor may refer to the originators of those before it.
  for (const [name, actor] of Object.entries(dataOf(file.actors))) {
    if (isBuiltIn(name)) report(context, ['actors', name], `"${name}" is a built-in name`, { key: true });
    const { originator, attributes, or } = dataOf(actor);
    checkNames(texts(originator, ['originator']), ['actors', name], known, context);
    if (or === name || (typeof or === 'string' && !context.actors.includes(or)))
      report(context, ['actors', name, 'or'], `there is no other actor "${or}"${didYouMean(or, context.actors)}`);
    known.add(originatorName(name));
    checkNames(texts(attributes, ['attributes']), ['actors', name], known, context);
  }
}

/** Adds the captures of the step to `known`; its own checks may use them already. */
function checkStep(value: unknown, path: DataPath, known: Set<string>, context: ReferenceContext): void {
  const step = dataOf(value);
  checkMembers(step, path, context);
  checkNames(requestTexts(step), path, known, context);
  for (const name of Object.keys(dataOf(step.capture))) {
    if (isBuiltIn(name) || context.actors.includes(name)) {
      const owner = isBuiltIn(name) ? 'a built-in name' : 'the name of an actor';
      report(context, [...path, 'capture', name], `"${name}" is ${owner}`, { key: true });
    }
    known.add(name);
  }
  checkAnswer(step, path, known, context);
  for (const part of ['check', 'control'] as const) {
    for (const [id, check] of Object.entries(dataOf(step[part])))
      checkCheck(id, check, [...path, part], known, context);
  }
}

/** The name of an answer is unique, so that a file of answers can refer to it. */
function checkAnswer({ ask, answer: name }: Data, path: DataPath, known: Set<string>, context: ReferenceContext): void {
  if (ask === undefined || typeof name !== 'string') return;
  if (known.has(name)) report(context, [...path, 'answer'], `"${name}" is called so already`);
  known.add(name);
}

function checkMembers({ as: actor, notified: inbox }: Data, path: DataPath, context: ReferenceContext): void {
  if (typeof actor === 'string' && actor !== administrator && !context.actors.includes(actor)) {
    report(
      context,
      [...path, 'as'],
      `there is no actor "${actor}"${didYouMean(actor, [...context.actors, administrator])}`,
    );
  }
  if (typeof inbox === 'string' && !context.inboxes.includes(inbox)) {
    report(context, [...path, 'notified'], `there is no inbox "${inbox}"${didYouMean(inbox, context.inboxes)}`);
  }
}

function checkCheck(id: string, check: unknown, above: DataPath, known: Set<string>, context: ReferenceContext): void {
  const path = [...above, id];
  if (!context.requirements.has(id)) {
    report(context, path, `there is no requirement "${id}"${didYouMean(id, context.requirements)}`, { key: true });
  }
  checkNames(checkTexts(check), path, known, context);
}

function checkNames(
  texts: readonly TextAt[],
  above: DataPath,
  known: ReadonlySet<string>,
  context: ReferenceContext,
): void {
  for (const { path, text } of texts) {
    for (const name of namesIn(text)) {
      if (known.has(name) || timeFromNow(name) !== undefined || lettersNamed(name) !== undefined) continue;
      const message = `nothing before this step is called "${name}"${didYouMean(name, known)}`;
      report(context, [...above, ...path], message, { within: `\${${name}}` });
    }
  }
}

function report(
  context: ReferenceContext,
  path: DataPath,
  message: string,
  pointAt?: { key?: boolean; within?: string },
): void {
  context.problems.push(context.source.problem(path, message, pointAt));
}

function isBuiltIn(name: string): boolean {
  return builtInNames.some((known) => known === name);
}

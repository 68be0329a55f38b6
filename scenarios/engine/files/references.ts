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
 * What a scenario file refers to must exist: actors, captures of earlier steps, requirements. Works on the data as
 * read, so that it speaks even where the grammar has something to say as well.
 */
export function checkReferences(source: SourceFile, requirements: ReadonlySet<string>): Problem[] {
  const file = dataOf(source.value);
  const actors = Object.keys(dataOf(file.actors));
  const inboxes = Object.keys(dataOf(file.inboxes));
  const look: Look = { source, requirements, actors, inboxes, problems: [] };
  checkInboxes(look);
  checkActors(file, look);
  const names = new Set<string>([
    ...builtInNames,
    ...actors,
    ...actors.map(originatorName),
    ...inboxes.flatMap(inboxNames),
  ]);
  listOf(file.given).forEach((step, index) => {
    if ('check' in dataOf(step))
      report(look, ['given', index, 'check'], 'a step under "given" prepares; it carries no checks', { key: true });
    checkStep(step, ['given', index], names, look);
  });
  for (const [key, scenario] of Object.entries(dataOf(file.scenarios))) {
    const known = new Set(names);
    for (const { step, path, names: more } of writtenSteps(dataOf(scenario).steps, ['scenarios', key, 'steps'])) {
      for (const name of more) known.add(name);
      checkStep(step, path, known, look);
    }
  }
  return look.problems;
}

interface Look {
  readonly source: SourceFile;
  readonly requirements: ReadonlySet<string>;
  readonly actors: readonly string[];
  readonly inboxes: readonly string[];
  readonly problems: Problem[];
}

function checkInboxes(look: Look): void {
  for (const name of look.inboxes.filter((one) => look.actors.includes(one))) {
    report(look, ['inboxes', name], `"${name}" is the name of an actor as well`, { key: true });
  }
}

function checkActors(file: Data, look: Look): void {
  const known = new Set<string>([...builtInNames, ...look.actors, ...look.inboxes.flatMap(inboxNames)]);
  // An actor may refer to the originators of those before it.
  for (const [name, actor] of Object.entries(dataOf(file.actors))) {
    if (isBuiltIn(name)) report(look, ['actors', name], `"${name}" is a built-in name`, { key: true });
    const { originator, attributes, or } = dataOf(actor);
    checkNames(texts(originator, ['originator']), ['actors', name], known, look);
    if (or === name || (typeof or === 'string' && !look.actors.includes(or)))
      report(look, ['actors', name, 'or'], `there is no other actor "${or}"${didYouMean(or, look.actors)}`);
    known.add(originatorName(name));
    checkNames(texts(attributes, ['attributes']), ['actors', name], known, look);
  }
}

/** Adds the captures of the step to `known`; its own checks may use them already. */
function checkStep(value: unknown, path: DataPath, known: Set<string>, look: Look): void {
  const step = dataOf(value);
  checkMembers(step, path, look);
  checkNames(requestTexts(step), path, known, look);
  for (const name of Object.keys(dataOf(step.capture))) {
    if (isBuiltIn(name) || look.actors.includes(name)) {
      const owner = isBuiltIn(name) ? 'a built-in name' : 'the name of an actor';
      report(look, [...path, 'capture', name], `"${name}" is ${owner}`, { key: true });
    }
    known.add(name);
  }
  checkAnswer(step, path, known, look);
  for (const part of ['check', 'control'] as const) {
    for (const [id, check] of Object.entries(dataOf(step[part]))) checkCheck(id, check, [...path, part], known, look);
  }
}

/** An answer is called by a name that nothing else has, so that who gives it beforehand can say which it is. */
function checkAnswer({ ask, answer: name }: Data, path: DataPath, known: Set<string>, look: Look): void {
  if (ask === undefined || typeof name !== 'string') return;
  if (known.has(name)) report(look, [...path, 'answer'], `"${name}" is called so already`);
  known.add(name);
}

function checkMembers({ as: actor, notified: inbox }: Data, path: DataPath, look: Look): void {
  if (typeof actor === 'string' && actor !== administrator && !look.actors.includes(actor)) {
    report(look, [...path, 'as'], `there is no actor "${actor}"${didYouMean(actor, [...look.actors, administrator])}`);
  }
  if (typeof inbox === 'string' && !look.inboxes.includes(inbox)) {
    report(look, [...path, 'notified'], `there is no inbox "${inbox}"${didYouMean(inbox, look.inboxes)}`);
  }
}

function checkCheck(id: string, check: unknown, above: DataPath, known: Set<string>, look: Look): void {
  const path = [...above, id];
  if (!look.requirements.has(id)) {
    report(look, path, `there is no requirement "${id}"${didYouMean(id, look.requirements)}`, { key: true });
  }
  checkNames(checkTexts(check), path, known, look);
}

function checkNames(texts: readonly TextAt[], above: DataPath, known: ReadonlySet<string>, look: Look): void {
  for (const { path, text } of texts) {
    for (const name of namesIn(text)) {
      if (known.has(name) || timeFromNow(name) !== undefined || lettersNamed(name) !== undefined) continue;
      const message = `nothing before this step is called "${name}"${didYouMean(name, known)}`;
      report(look, [...above, ...path], message, { within: `\${${name}}` });
    }
  }
}

function report(look: Look, path: DataPath, message: string, pointAt?: { key?: boolean; within?: string }): void {
  look.problems.push(look.source.problem(path, message, pointAt));
}

function isBuiltIn(name: string): boolean {
  return builtInNames.some((known) => known === name);
}

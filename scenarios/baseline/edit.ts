/** Edits baseline files, and keeps the texts, comments and order that people wrote. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { pathFrom } from '../engine/basics/path-from.ts';
import { isBinding } from '../engine/files/levels.ts';
import { loadScenarios } from '../engine/files/load.ts';
import type { RunResult } from '../engine/results/result.ts';
import type { ExcusedDeviation } from './grammar.ts';
import { anywhere, type BaselineObservation, isWholeRun, type NamedCheck, namedChecks, observe } from './observe.ts';
import { type Baseline, type BaselineEntry, readBaseline } from './read.ts';

interface Edited {
  readonly text: string;
  readonly added: readonly ExcusedDeviation[];
  /** Entries whose failure occurred again. */
  readonly seen: readonly BaselineEntry[];
  /** Entries whose check fails in another way now. */
  readonly otherwise: readonly BaselineEntry[];
  readonly removed: readonly BaselineEntry[];
}

/**
 * Adds the failures of a run to a baseline, which need not exist yet. Does not write the file. Throws ScenarioFilesError if the
 * baseline is invalid.
 */
export function updateBaseline(file: string, run: RunResult): Edited {
  const { baseline, document, text } = opened(file);
  const observations = observe(baseline, run, isWholeRun(run));
  const day = run.startedAt.slice(0, 10);
  const list = listIn(document);
  const seen = observations.filter(({ state }) => state === 'failed').map(({ entry }) => entry);
  const refreshed = observations.filter(({ state }, at) => state === 'failed' && refresh(list.items[at], day));
  const added = newDeviations(run, observations);
  for (const deviation of added) list.add(nodeOf(document, deviation));
  const otherwise = observations.filter(({ state }) => state === 'failed otherwise').map(({ entry }) => entry);
  const unchanged = added.length + refreshed.length === 0 ? text : undefined;
  return { text: unchanged ?? textOf(document), added, seen, otherwise, removed: [] };
}

/** Removes the entries whose check passed in the run; entries without a check in it stay. Does not write the file. */
export function pruneBaseline(file: string, run: RunResult): Edited {
  const baseline = readBaseline(file);
  const document = parseDocument(readFileSync(baseline.path, 'utf8'));
  const observations = observe(baseline, run, isWholeRun(run));
  const goes = ({ state, entry }: BaselineObservation) => state === 'passed' && entry.intermittent !== true;
  const list = listIn(document);
  const removed = observations.filter(goes).map(({ entry }) => entry);
  const staying = observations.map((one) => !goes(one));
  list.items = list.items.filter((_, at) => staying[at]);
  if (list.items.length === 0) list.flow = true;
  return { text: textOf(document), added: [], seen: [], otherwise: [], removed };
}

const schemaPath = fileURLToPath(new URL('../baseline.schema.json', import.meta.url));

const introduction = ` Known deviations of one target, for \`cselab check --baseline\`. Each entry may say its reason, ticket, owner and the last
 day on which it is excused (expires), and whether it comes and goes (intermittent: true).`;

/** `text` is absent if there is no file yet. */
function opened(file: string): { baseline: Baseline; document: Document; text?: string } {
  if (existsSync(file)) {
    const baseline = readBaseline(file);
    const text = readFileSync(baseline.path, 'utf8');
    return { baseline, document: parseDocument(text), text };
  }
  const document = parseDocument('deviations: []\n');
  document.commentBefore = ` yaml-language-server: $schema=${pathFrom(dirname(file), schemaPath)}\n${introduction}`;
  return { baseline: { file, path: file, entries: [] }, document };
}

function listIn(document: Document): YAMLSeq {
  const list = document.get('deviations');
  if (!isSeq(list)) throw new TypeError('a baseline that was read has a list of deviations');
  return list;
}

/** Whether anything changed: a report may be older than the entry. */
function refresh(node: unknown, day: string): boolean {
  if (!isMap(node)) return false;
  const before = node.get('last seen');
  if (typeof before === 'string' && before >= day) return false;
  node.set('last seen', day);
  return true;
}

/** Failures that count, and that no applicable entry covers. */
function newDeviations(run: RunResult, observations: readonly BaselineObservation[]): ExcusedDeviation[] {
  const known = new Set(observations.flatMap(({ checks }) => checks.map(({ check }) => check)));
  const counts = ({ check }: NamedCheck) =>
    isBinding(check.level) || (check.level === 'advisory' && run.strictness.failOn.includes('advice'));
  const failed = run.scenarios
    .flatMap((scenario) => namedChecks(scenario, run))
    .filter((one) => one.check.state === 'failed' && counts(one) && !known.has(one.check));
  const several = failed.length === 0 ? new Set() : inSeveralDialects();
  // A failure found by a rule is added once, and not at all if a check found it, too.
  const said = new Set<string>();
  return failed
    .toSorted((a, b) => Number(a.check.byRule ?? false) - Number(b.check.byRule ?? false))
    .filter(({ check, signature }) => {
      const key = `${check.requirement} ${signature.hash}`;
      const isNew = !(check.byRule && said.has(key));
      said.add(key);
      return isNew;
    })
    .map((one) => deviationOf(one, run, several.has(one.scenario.id)));
}

/** Scenarios that run in both dialects: a check may fail in one and pass in the other. */
function inSeveralDialects(): ReadonlySet<string> {
  return new Set(loadScenarios().scenarios.flatMap(({ id, dialects }) => (dialects.size > 1 ? id : [])));
}

function deviationOf({ scenario, check, ...one }: NamedCheck, run: RunResult, several: boolean): ExcusedDeviation {
  const { step, nth, signature } = one;
  const day = run.startedAt.slice(0, 10);
  return {
    scenario: check.byRule ? anywhere : scenario.id,
    requirement: check.requirement,
    ...(!check.byRule && { step, ...(nth > 1 && { nth }) }),
    ...((several || check.byRule) && { when: { dialect: run.dialect } }),
    signature: signature.text,
    ...(check.intermittent && { intermittent: true }),
    'first seen': day,
    'last seen': day,
  };
}

function nodeOf(document: Document, deviation: ExcusedDeviation): YAMLMap {
  const node = document.createNode(deviation) as YAMLMap;
  const when = node.get('when');
  if (isMap(when)) when.flow = true;
  return node;
}

/** Keeps long sentences on one line, for readable diffs. */
function textOf(document: Document): string {
  const list = listIn(document);
  if (list.items.length > 0) list.flow = false;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

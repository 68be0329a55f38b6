import type { Requirement } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { permittedBy } from '../../engine/grammar/vocabulary.ts';
import type { Demand, RuleJudges } from '../sequences/rule-judges.ts';
import { absent, type CanonicalAnswer, type Reading } from './canonical-answer.ts';
import { type Both, both, otherThan, type Right, type SideName } from './difference.ts';
import { gapOf } from './implementation-defined.ts';

/** One part in which two answers to the same request differ, and who is right. */
export interface PartDifference {
  readonly signature: string;
  readonly part: string;
  readonly right: Right;
  readonly expected?: Demand;
  /** The id of what decides, or of the gap. */
  readonly requirement?: string;
  readonly compared: Both<string>;
}

/** Both answers to one request. */
export type AnswerPair = Both<ComparedAnswer>;

export interface ComparedAnswer extends Reading {
  readonly canonical: CanonicalAnswer;
  /** By rules, for this answer. */
  readonly demanded: RuleJudges['demanded'];
}

export interface DiffRules {
  readonly dialect: Dialect;
  /** Whether a stated requirement may decide: it is chosen, and both targets claim its features. */
  readonly isChecked: (requirement: string) => boolean;
  /** Whether to report a difference that only this gap leaves open; without an id, one that is not in the catalogue. */
  readonly isReported: (gap: string | undefined) => boolean;
  readonly requirements: ReadonlyMap<string, Requirement>;
}

/** What a sequence has shown so far. */
export interface SequenceHistory {
  /** Parts that a requirement decided, each with its resource type: later differences there follow from that. */
  readonly decided: Set<string>;
  /** Whether anything was removed, or had a limit. */
  removed: boolean;
  limited: boolean;
}

/** Every part in which two answers differ, each with what decides it. */
export function differencesIn(pair: AnswerPair, history: SequenceHistory, rules: DiffRules): PartDifference[] {
  noteIn(history, pair);
  const differing = differingParts(pair);
  const decided = decidedIn(pair, differing, rules);
  const explained = new Set(decided.flatMap(({ parts }) => parts));
  for (const part of explained) history.decided.add(subjectOf({ part }, pair));
  const isNew = (part: string) => part === 'status' || !history.decided.has(subjectOf({ part }, pair));
  const open = differing.filter((part) => !explained.has(part) && isNew(part));
  const reported = open.flatMap((part) => undecidedIn(part, pair, history, rules) ?? []);
  return [...decided, ...reported];
}

/** What differs, and its resource type, such as `container attribute cni`. */
export function subjectOf({ part }: Pick<PartDifference, 'part'>, { A }: AnswerPair): string {
  return `${A.attempt.about.type} ${part}`;
}

function noteIn(history: SequenceHistory, { A }: AnswerPair): void {
  const { step } = A.attempt;
  if ('delete' in step) history.removed = true;
  const attributes = 'create' in step || 'update' in step ? step.attributes : undefined;
  if (attributes?.mni !== undefined || attributes?.mbs !== undefined) history.limited = true;
}

/** If only one succeeds, nothing else can be compared. */
function differingParts({ A, B }: AnswerPair): string[] {
  const hasSameStatus = A.canonical.get('status') === B.canonical.get('status');
  if (!hasSameStatus && A.response.outcome !== B.response.outcome) return ['status'];
  const bodies = A.canonical.get('body') === B.canonical.get('body');
  const all = [...new Set([...A.canonical.keys(), ...B.canonical.keys()])];
  const parts = all.filter((part) => valueIn(A, part) !== valueIn(B, part));
  const sameStatus = !parts.includes('status');
  const another = !('create' in A.attempt.step) && [A, B].every(({ canonical }) => canonical.has('attribute rn'));
  return parts.filter((part) => {
    if (part === 'RSC') return sameStatus;
    if (!bodies) return !(part === 'root' || part === 'found' || /^attribute |^header content/.test(part));
    // If they show different resources, everything else differs by that.
    if (another && parts.includes('attribute rn') && part.startsWith('attribute ')) return part === 'attribute rn';
    return true;
  });
}

function valueIn({ canonical }: ComparedAnswer, part: string): string {
  return canonical.get(part) ?? absent;
}

interface Decided extends PartDifference {
  /** All that the requirement covers. */
  readonly parts: readonly string[];
}

/** Requirements that one breaks and the other keeps. Of several about the same part, the first is reported. */
function decidedIn(pair: AnswerPair, differing: readonly string[], { isChecked }: DiffRules): Decided[] {
  const verdicts = both((side) => verdictsOf(pair[side], isChecked));
  const statusOnly = pair.A.response.outcome !== pair.B.response.outcome;
  const decided: Decided[] = [];
  for (const [requirement, a] of verdicts.A) {
    const b = verdicts.B.get(requirement);
    if (b === undefined || a.hasFailed === b.hasFailed) continue;
    const wrong = a.hasFailed ? 'A' : 'B';
    const { expected } = a.hasFailed ? a : b;
    const touched = partsOf(expected);
    const parts = statusOnly ? touched.filter((part) => part === 'status') : touched;
    const covered = decided.flatMap((one) => (one.right === otherThan(wrong) ? one.parts : []));
    if (parts.every((part) => covered.includes(part))) continue;
    decided.push(decidedBy(expected, wrong, parts, differing, pair));
  }
  return decided;
}

interface Verdict {
  readonly hasFailed: boolean;
  /** What failed, or the last. */
  readonly expected: Demand;
}

function verdictsOf({ demanded }: ComparedAnswer, isChecked: DiffRules['isChecked']): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const one of demanded) {
    if (!isChecked(one.requirement) || verdicts.get(one.requirement)?.hasFailed) continue;
    verdicts.set(one.requirement, { hasFailed: one.outcome === 'failed', expected: one });
  }
  return verdicts;
}

function decidedBy(
  expected: Demand,
  wrong: SideName,
  parts: readonly string[],
  differing: readonly string[],
  pair: AnswerPair,
): Decided {
  // A failure in no differing part, such as the shape of a time, is reported by the literal value.
  const part = parts.find((one) => differing.includes(one)) ?? parts[0] ?? 'body';
  const compared = comparedIn(part, pair, differing.includes(part));
  const { requirement } = expected;
  const signature = `${requirement} ${wrong}${valuesOf(part, compared)}`;
  return { signature, part, parts, right: otherThan(wrong), expected, requirement, compared };
}

/** A signature names both statuses. */
function valuesOf(part: string, { A, B }: PartDifference['compared']): string {
  return part === 'status' ? ` ${A}/${B}` : '';
}

/** A difference that no stated requirement decides; undefined if it is not to be reported. */
function undecidedIn(
  part: string,
  pair: AnswerPair,
  history: SequenceHistory,
  rules: DiffRules,
): PartDifference | undefined {
  const touching = [...pair.A.demanded, ...pair.B.demanded].filter((one) => partsOf(one).includes(part));
  const stated = touching.filter(({ requirement }) => isStated(rules, requirement));
  // A requirement that is not chosen or claimed decides nothing, nor does it leave its part open.
  if (stated.length > 0 && stated.every(({ requirement }) => !rules.isChecked(requirement))) return undefined;
  const compared = comparedIn(part, pair, true);
  const broken = brokenByBoth(pair, stated);
  if (broken !== undefined) {
    const signature = `${broken.requirement} A and B ${part}`;
    return { signature, part, right: 'neither', expected: broken, requirement: broken.requirement, compared };
  }
  const { about } = pair.A.attempt;
  const named = touching.find(({ requirement }) => rules.requirements.get(requirement)?.level === 'gap');
  // The table covers the documented dialect.
  const gap = named?.requirement ?? (rules.dialect === 'onem2m' ? undefined : gapOf(part, pair.A, history));
  if (!rules.isReported(gap)) return undefined;
  const subject = gap ?? (part.startsWith('header ') ? 'any' : `${groupOf(about.operation)} ${about.type ?? ''}`);
  const signature = `${subject} ${part}${valuesOf(part, compared)}`;
  return { signature, part, right: 'gap', compared, ...(gap !== undefined && { requirement: gap }) };
}

function brokenByBoth(pair: AnswerPair, stated: readonly Demand[]): Demand | undefined {
  const failed = both((side) => pair[side].demanded.filter(({ outcome }) => outcome === 'failed'));
  const isInBoth = ({ requirement }: Demand) => failed.B.some((other) => other.requirement === requirement);
  return failed.A.find((one) => stated.includes(one) && isInBoth(one));
}

const isStated = ({ requirements }: DiffRules, id: string): boolean =>
  ['documented', 'standard'].includes(requirements.get(id)?.level ?? '');

/** Operations that are alike but for their purpose. */
function groupOf(operation: string): string {
  if (operation.startsWith('look')) return 'retrieve';
  return operation.split(':')[0] ?? operation;
}

function comparedIn(part: string, pair: AnswerPair, differs: boolean): PartDifference['compared'] {
  return both((side) => (differs ? valueIn(pair[side], part) : literalIn(pair[side], part)));
}

/** As it came. */
function literalIn({ response: { view }, canonical }: ComparedAnswer, part: string): string {
  const name = part.replace('attribute ', '');
  const value = part.startsWith('attribute ') ? view.attributes?.[name] : undefined;
  return value === undefined ? (canonical.get(part) ?? absent) : JSON.stringify(value);
}

/** The parts of an answer that a demand covers. */
export function partsOf({ check }: Demand): string[] {
  const parts = permittedBy(check).flatMap(({ status, root, body, found, attributes }) => [
    ...(status === undefined ? [] : ['status']),
    ...(root === undefined ? [] : ['root']),
    ...(body === undefined ? [] : ['body']),
    ...(found === undefined ? [] : ['found']),
    ...Object.keys(attributes ?? {}).map((name) => `attribute ${name}`),
  ]);
  return [...new Set(parts)];
}

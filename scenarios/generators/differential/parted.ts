import type { Requirement } from '../../engine/files/catalogue.ts';
import { permittedBy } from '../../engine/grammar/grammar-check.ts';
import type { Outcome } from '../../engine/judging/matchers.ts';
import { judge } from '../judge.ts';
import type { Expected } from '../model/expected.ts';
import { absent, type CanonicalAnswer, type Reading } from './canonical-answer.ts';
import type { Right, SideName } from './difference.ts';
import { gapOf } from './open-parts.ts';

/** One part in which two answers to the same request differ, and who is right. */
export interface Parted {
  readonly signature: string;
  readonly part: string;
  readonly right: Right;
  readonly expected?: Expected;
  /** The id of what decides, or of the gap. */
  readonly requirement?: string;
  readonly compared: { readonly A: string; readonly B: string };
}

/** What came of one request at both targets. */
export interface Pair {
  readonly A: Answered;
  readonly B: Answered;
}

export interface Answered extends Reading {
  readonly canonical: CanonicalAnswer;
}

export interface Deciding {
  /** Whether what the specification states may decide: it is chosen, and both targets claim what it speaks of. */
  readonly judges: (requirement: string) => boolean;
  /** Whether a difference that only this gap leaves open is told; without an id, one of which the catalogue does not speak. */
  readonly tells: (gap: string | undefined) => boolean;
  readonly requirements: ReadonlyMap<string, Requirement>;
}

/** What a sequence has shown so far. */
export interface Course {
  /** Parts about which a requirement has decided, each with the kind of what it is a part of: what differs there later follows from that. */
  readonly decided: Set<string>;
  /** Whether anything was removed, or had a limit. */
  removed: boolean;
  limited: boolean;
}

/** Every part in which two answers differ, each with what decides about it. */
export function partedIn(pair: Pair, course: Course, deciding: Deciding): Parted[] {
  noteIn(course, pair);
  const differing = differingParts(pair);
  const decided = decidedIn(pair, differing, deciding);
  for (const part of decided.flatMap(({ parts }) => parts)) course.decided.add(subjectOf({ part }, pair));
  const explained = new Set(decided.flatMap(({ parts }) => parts));
  const open = differing.filter(
    (part) => !explained.has(part) && (part === 'status' || !course.decided.has(subjectOf({ part }, pair))),
  );
  const told = open.flatMap((part) => openIn(part, { pair, course }, deciding) ?? []);
  return [...decided.map(({ parted }) => parted), ...told];
}

/** What differs, and of which kind of resource, such as `container attribute cni`. */
export function subjectOf({ part }: Pick<Parted, 'part'>, { A }: Pair): string {
  return `${A.attempt.about.kind} ${part}`;
}

function noteIn(course: Course, { A }: Pair): void {
  const { step } = A.attempt;
  if ('delete' in step) course.removed = true;
  const attributes = 'create' in step || 'update' in step ? step.attributes : undefined;
  if (attributes?.mni !== undefined || attributes?.mbs !== undefined) course.limited = true;
}

/** Where one is done and the other is not, nothing else can be compared. */
function differingParts({ A, B }: Pair): string[] {
  if (A.canonical.get('status') !== B.canonical.get('status')) {
    if (A.came.outcome !== B.came.outcome) return ['status'];
  }
  const bodies = A.canonical.get('body') === B.canonical.get('body');
  const all = [...new Set([...A.canonical.keys(), ...B.canonical.keys()])];
  const parts = all.filter((part) => valueIn(A, part) !== valueIn(B, part));
  const sameStatus = !parts.includes('status');
  const another = !('create' in A.attempt.step) && [A, B].every(({ canonical }) => canonical.has('attribute rn'));
  return parts.filter((part) => {
    if (part === 'RSC') return sameStatus;
    if (!bodies) return !(part === 'root' || part === 'found' || /^attribute |^header content/.test(part));
    // Where it is another resource that is shown, everything else differs by that.
    if (another && parts.includes('attribute rn') && part.startsWith('attribute ')) return part === 'attribute rn';
    return true;
  });
}

function valueIn({ canonical }: Answered, part: string): string {
  return canonical.get(part) ?? absent;
}

interface Decided {
  readonly parts: readonly string[];
  readonly parted: Parted;
}

/** What one of them does not keep and the other does. Of several that say the same of the same part the first is told. */
function decidedIn(pair: Pair, differing: readonly string[], { judges }: Deciding): Decided[] {
  const verdicts = { A: verdictsOf(pair.A, judges), B: verdictsOf(pair.B, judges) };
  const statusOnly = pair.A.came.outcome !== pair.B.came.outcome;
  const decided: Decided[] = [];
  for (const requirement of new Set([...verdicts.A.keys(), ...verdicts.B.keys()])) {
    const [a, b] = [verdicts.A.get(requirement), verdicts.B.get(requirement)];
    if (a === undefined || b === undefined) continue;
    const wrong = wrongOf(a.outcome, b.outcome);
    if (wrong === undefined) continue;
    const { expected } = wrong === 'A' ? a : b;
    const touched = partsOf(expected);
    const parts = statusOnly ? touched.filter((part) => part === 'status') : touched;
    if (parts.length === 0 || isTold(decided, parts, wrong)) continue;
    decided.push(decidedBy(expected, wrong, { parts, differing, pair }));
  }
  return decided;
}

interface Verdict {
  readonly outcome: Outcome;
  /** The expectation that failed, or the first. */
  readonly expected: Expected;
}

function verdictsOf({ attempt, came }: Answered, judges: Deciding['judges']): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const expected of attempt.expectations) {
    if (!judges(expected.requirement) || verdicts.get(expected.requirement)?.outcome === 'failed') continue;
    const outcome = judge(expected, came.view, came.outcome === 'success');
    verdicts.set(expected.requirement, { outcome, expected });
  }
  return verdicts;
}

function wrongOf(a: Outcome, b: Outcome): SideName | undefined {
  if ((a === 'failed') === (b === 'failed')) return undefined;
  return a === 'failed' ? 'A' : 'B';
}

function isTold(decided: readonly Decided[], parts: readonly string[], wrong: SideName): boolean {
  const right = otherOf(wrong);
  const told = new Set(decided.filter(({ parted }) => parted.right === right).flatMap((one) => one.parts));
  return parts.every((part) => told.has(part));
}

function decidedBy(
  expected: Expected,
  wrong: SideName,
  { parts, differing, pair }: { parts: readonly string[]; differing: readonly string[]; pair: Pair },
): Decided {
  // What fails without a part that was seen to differ, such as the shape of a time, is told by what came.
  const part = parts.find((one) => differing.includes(one)) ?? parts[0] ?? 'body';
  const compared = comparedIn(part, pair, differing.includes(part));
  const { requirement } = expected;
  const values = part === 'status' ? ` ${compared.A}/${compared.B}` : '';
  const right = otherOf(wrong);
  const parted = { signature: `${requirement} ${wrong}${values}`, part, right, expected, requirement, compared };
  return { parts, parted };
}

function otherOf(side: SideName): SideName {
  return side === 'A' ? 'B' : 'A';
}

/** A part of which nothing that the specification states tells which is right; undefined where that is not to be told. */
function openIn(
  part: string,
  { pair, course }: { readonly pair: Pair; readonly course: Course },
  deciding: Deciding,
): Parted | undefined {
  const expectations = [...pair.A.attempt.expectations, ...pair.B.attempt.expectations];
  const touching = expectations.filter((one) => partsOf(one).includes(part));
  const stated = touching.filter(({ requirement }) => deciding.requirements.get(requirement)?.level === 'documented');
  // A statement that is not chosen, or not claimed, decides nothing; neither is what it speaks of left open.
  if (stated.length > 0 && stated.every(({ requirement }) => !deciding.judges(requirement))) return undefined;
  const compared = comparedIn(part, pair, true);
  const broken = brokenByBoth(stated, pair);
  if (broken !== undefined) {
    const { requirement } = broken;
    const signature = `${requirement} A and B ${part}`;
    return { signature, part, right: 'neither', expected: broken, requirement, compared };
  }
  const { about } = pair.A.attempt;
  const named = touching.find(({ requirement }) => deciding.requirements.get(requirement)?.level === 'gap');
  const gap = named?.requirement ?? gapOf({ part, about, came: pair.A.came, course });
  if (!deciding.tells(gap)) return undefined;
  const place = gap ?? (part.startsWith('header ') ? 'any' : `${sortOf(about.operation)} ${about.kind ?? ''}`);
  const values = part === 'status' ? ` ${compared.A}/${compared.B}` : '';
  return {
    signature: `${place} ${part}${values}`,
    part,
    right: 'gap',
    compared,
    ...(gap !== undefined && { requirement: gap }),
  };
}

/** Operations that are alike but for their purpose. */
function sortOf(operation: string): string {
  if (operation.startsWith('look')) return 'retrieve';
  return operation.split(':')[0] ?? operation;
}

/** A requirement that neither keeps. */
function brokenByBoth(stated: readonly Expected[], { A, B }: Pair): Expected | undefined {
  const failsAt = (expected: Expected, { came }: Answered) =>
    judge(expected, came.view, came.outcome === 'success') === 'failed';
  return stated.find((expected) => failsAt(expected, A) && failsAt(expected, B));
}

function comparedIn(part: string, { A, B }: Pair, differs: boolean): Parted['compared'] {
  if (differs) return { A: valueIn(A, part), B: valueIn(B, part) };
  return { A: literalIn(A, part), B: literalIn(B, part) };
}

/** As it came. */
function literalIn({ came: { view }, canonical }: Answered, part: string): string {
  const name = part.replace('attribute ', '');
  const value = part.startsWith('attribute ') ? view.attributes?.[name] : undefined;
  return value === undefined ? (canonical.get(part) ?? absent) : JSON.stringify(value);
}

/** The parts of an answer that an expectation speaks of. */
export function partsOf({ check }: Expected): string[] {
  const parts = permittedBy(check).flatMap(({ status, root, body, found, attributes }) => [
    ...(status === undefined ? [] : ['status']),
    ...(root === undefined ? [] : ['root']),
    ...(body === undefined ? [] : ['body']),
    ...(found === undefined ? [] : ['found']),
    ...Object.keys(attributes ?? {}).map((name) => `attribute ${name}`),
  ]);
  return [...new Set(parts)];
}

import type { Matcher } from '../../engine/grammar/grammar-matcher.ts';
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { pathOf, writtenAddress } from '../model/address.ts';
import { type Expected, expected, literally } from '../model/expected.ts';
import type { Model } from '../model/model.ts';
import { contentOf, descendantsOf, isDoubtful, kindFacts, labelsOf, type ModelResource } from '../model/resource.ts';
import { ask, labelAt, type Move, pick } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import type { StandardDoing } from '../operations/onem2m.ts';
import { answered } from './read.ts';

type Discovery = StandardDoing<'discover'>;

/** Discovery = filter over the model. */
export function* discover(operation: Discovery, ground: Ground): Move {
  const { model } = ground;
  const starts = model.all().filter(({ kind }) => kind === 'ae' || kind === 'container');
  const start = pick(starts, operation.start);
  if (start === undefined || isDoubtful(start)) return;
  const criteria = criteriaOf(operation, ground);
  const { limit, offset, level, identifiers } = operation;
  // Of no criteria at all, nobody says whether any is met.
  const any = operation.any && criteria.size > 0;
  const deep = any ? null : level;
  const selection = select(start, criteria, { any, level: deep }, model);
  const where = {
    ...Object.fromEntries([...criteria].map(([name, values]) => [name, values.length > 1 ? [...values] : values[0]])),
    ...(any && { fo: 2 }),
    ...(deep !== null && { lvl: deep }),
    ...(limit !== null && { lim: limit }),
    ...(limit === null && offset !== null && { ofst: offset }),
    ...(identifiers && { drt: 2 }),
  };
  yield ask(
    { discover: pathOf(start, model), where },
    'discover',
    [...answered('std.discovery.answer', 2000), ...listed(selection, criteria, { ...operation, any, level: deep })],
    { by: start.owner, expect: 'success', kind: start.kind },
  );
}

interface Selection {
  readonly found: readonly ModelResource[];
  readonly leftOut: readonly ModelResource[];
  /** Whether nothing is left open. */
  readonly certain: boolean;
  /** How a resource may be written in the list; undefined where that is not known. */
  readonly written: (resource: ModelResource) => Matcher | undefined;
}

/** With identifiers in place of paths where that is asked for. */
function select(
  start: ModelResource,
  criteria: Criteria,
  { any, level }: Pick<Discovery, 'any' | 'level'>,
  model: Model,
): Selection {
  const below = descendantsOf(start);
  const judged = below.map((resource) => {
    const near = level === null || depthBelow(start, resource) <= level;
    return { resource, picked: isDoubtful(resource) ? undefined : near && picks(resource, criteria, any) };
  });
  const of = (picked: boolean) => judged.filter((one) => one.picked === picked).map(({ resource }) => resource);
  const certain = [start, ...below].every(({ known }) => known) && judged.every(({ picked }) => picked !== undefined);
  return { found: of(true), leftOut: of(false), certain, written: (one) => ({ matching: writtenAddress(one, model) }) };
}

function depthBelow(start: ModelResource, resource: ModelResource): number {
  return resource.parent === undefined || resource.parent === start ? 1 : 1 + depthBelow(start, resource.parent);
}

function listed(
  selection: Selection,
  criteria: Criteria,
  { limit, offset, level, identifiers, any }: Discovery,
): Expected[] {
  const chosen = identifiers ? { ...selection, written: byIdentifier } : selection;
  const matchers = chosen.found.flatMap((one) => chosen.written(one) ?? []);
  if (matchers.length < chosen.found.length) return [];
  if (limit !== null) return bounded(chosen, matchers, limit);
  if (offset !== null) return fromPlace(chosen, matchers, offset);
  const plain = identifiers ? 'std.discovery.unstructured' : requirementOf(criteria, any);
  const requirement = level === null ? plain : 'std.filter.lvl';
  if (chosen.certain && chosen.found.length === 0) return [expected('std.discovery.none', { found: { length: 0 } })];
  if (chosen.certain) return [expected(requirement, { found: { 'contains exactly': matchers } })];
  const others = chosen.leftOut.flatMap((one) => chosen.written(one) ?? []);
  const all = [...matchers.map((one) => ({ contains: one })), ...others.map((one) => ({ not: { contains: one } }))];
  return all.length === 0 ? [] : [expected(requirement, { found: { 'all of': all } })];
}

function byIdentifier({ shown: { ri } }: ModelResource): Matcher | undefined {
  return ri === undefined ? undefined : { matching: `(^|/)${literally(ri)}$` };
}

/** Some of what matches, and no more than that; a list that was cut short says so. */
function bounded({ certain, found }: Selection, matchers: readonly Matcher[], limit: number): Expected[] {
  if (!certain) return [];
  const lengths = Array.from({ length: Math.min(limit, found.length) + 1 }, (_, length) => ({ length }));
  const some = expected('std.filter.lim', { found: { 'one of': lengths } });
  const each =
    matchers.length === 0 ? [] : [expected('std.filter.lim', { found: { every: { 'one of': [...matchers] } } })];
  const partial = expected('std.filter.lim.partial', {
    'one of': [
      { header: { 'x-m2m-cts': '1' }, source: 'TS-0001 8.1.3, Content Status: present where the content is partial' },
      { found: { length: found.length }, source: 'TS-0001 8.1.3, Content Status: all of it is not partial' },
    ],
  });
  return [some, ...each, ...(found.length > limit ? [partial] : [])];
}

function fromPlace({ certain, found }: Selection, matchers: readonly Matcher[], offset: number): Expected[] {
  if (!certain) return [];
  const length = (leftOut: number) => ({ length: Math.max(0, found.length - leftOut) });
  const lengths = expected('std.filter.ofst', {
    'one of': [
      { found: length(offset - 1), source: 'TS-0004 7.3.3.17.15: the place is counted from 1' },
      { found: length(offset), source: 'TS-0001 8.1.2, 10.2.6: so many are skipped' },
    ],
  });
  const each =
    found.length === 0 ? [] : [expected('std.filter.ofst', { found: { every: { 'one of': [...matchers] } } })];
  return [lengths, ...each];
}

type Values = ReadonlyArray<string | number>;
type Criterion = 'lbl' | 'ty' | 'cra' | 'crb' | 'sza' | 'szb';

/** What is asked for; several values are alternatives. */
type Criteria = ReadonlyMap<Criterion, Values>;

function criteriaOf({ labels, kinds, after, before, size, any }: Discovery, ground: Ground): Criteria {
  const { least = [], below = [] } = any ? {} : size;
  const isSized = [least, below].flat().length > 0;
  const asked: ReadonlyArray<readonly [Criterion, Values]> = [
    ['lbl', labels.map((label) => labelAt(label, ground))],
    ['ty', (isSized ? (['content instance'] as const) : kinds).map((kind) => kindFacts[kind].ty)],
    ['cra', timeOf(after, ground)],
    ['crb', timeOf(before, ground)],
    ['sza', [least].flat()],
    ['szb', [below].flat()],
  ];
  return new Map(asked.filter(([, values]) => values.length > 0));
}

function timeOf(bound: Discovery['after'], { model }: Ground): readonly string[] {
  if (bound === null) return [];
  if (bound === 'the past') return ['20010101T000000'];
  return [bound === 'the future' ? '20990101T000000' : (pick(model.all(), bound)?.shown.ct ?? [])].flat();
}

/** Whether a criterion alone is met (TS-0004 7.3.3.17); undefined where the model cannot tell. Sizes are those of content. */
const meets: Readonly<Record<Criterion, (one: ModelResource, values: Values) => boolean | undefined>> = {
  lbl: (one, labels) => labels.some((label) => labelsOf(one)?.includes(String(label)) === true),
  ty: ({ kind }, types) => types.includes(kindFacts[kind].ty),
  cra: (one, [bound]) => created(one, String(bound), (at, limit) => at > limit),
  crb: (one, [bound]) => created(one, String(bound), (at, limit) => at < limit),
  sza: (one, [bound]) => sized(one, (bytes) => bytes >= Number(bound)),
  szb: (one, [bound]) => sized(one, (bytes) => bytes < Number(bound)),
};

/** A CSE may know the time more precisely than it tells it, unless it tells fractions of a second. */
function created(
  { shown: { ct = '' } }: ModelResource,
  bound: string,
  isMet: (at: bigint, limit: bigint) => boolean,
): boolean | undefined {
  const [at, limit] = [parseTimestamp(ct), parseTimestamp(bound)];
  if (at === undefined || limit === undefined) return undefined;
  return at === limit && !ct.includes(',') ? undefined : isMet(at, limit);
}

function sized(one: ModelResource, isMet: (bytes: number) => boolean): boolean | undefined {
  return one.kind === 'content instance' ? isMet(Buffer.byteLength(contentOf(one))) : undefined;
}

/** By all criteria, or by `any` of them. */
function picks(resource: ModelResource, criteria: Criteria, any: boolean): boolean | undefined {
  const met = [...criteria].map(([name, values]) => meets[name](resource, values));
  if (met.length === 0) return true;
  if (met.includes(any)) return any;
  return met.includes(undefined) ? undefined : !any;
}

/** The requirement that speaks of just this selection. */
function requirementOf(criteria: Criteria, any: boolean): string {
  const asked = [...criteria].map(([name, { length }]) =>
    length > 1 ? `std.filter.${name}.several` : name === 'lbl' ? 'std.discovery.label' : `std.filter.${name}`,
  );
  const [one = 'std.discovery.all', second, third] = asked;
  if (second === undefined) return one;
  if (any) return 'std.filter.or';
  // Sizes are always asked of content instances.
  return third === undefined && second.startsWith('std.filter.sz') ? second : 'std.filter.and';
}

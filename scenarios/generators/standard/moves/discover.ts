import type { Matcher } from '../../../engine/grammar/grammar-matcher.ts';
import { pathOf, writtenAddress } from '../../model/address.ts';
import { type Expected, expected, literally } from '../../model/expected.ts';
import type { Model } from '../../model/model.ts';
import { descendantsOf, isDoubtful, type Resource } from '../../model/resource.ts';
import { ask, labelAt, pick } from '../../moves/move.ts';
import { answered } from '../model/answers.ts';
import { type Criteria, picks, queryOf, requirementOf } from '../model/filter.ts';
import type { StandardDoing } from '../operations/operation.ts';
import type { StandardGround, StandardMove } from './move.ts';

/** Discovery = filter over the model. */
export function* discover(operation: StandardDoing<'discover'>, ground: StandardGround): StandardMove {
  const { model } = ground;
  const starts = model.all().filter(({ kind }) => kind === 'ae' || kind === 'container');
  const start = pick(starts, operation.start);
  if (start === undefined || isDoubtful(start)) return;
  const criteria = criteriaOf(operation, ground);
  const { limit, offset, level, identifiers, any } = operation;
  const deep = any ? null : level;
  const selection = select(start, criteria, deep, model);
  const where = {
    ...queryOf(criteria),
    ...(deep !== null && { lvl: deep }),
    ...(limit !== null && { lim: limit }),
    ...(limit === null && offset !== null && { ofst: offset }),
    ...(identifiers && { drt: 2 }),
  };
  yield ask(
    { discover: pathOf(start, model), where },
    'discover',
    [...answered('std.discovery.answer', 2000), ...listed(selection, criteria, { ...operation, level: deep })],
    { by: start.owner, expect: 'success', kind: start.kind },
  );
}

interface Selection {
  readonly found: readonly Resource[];
  readonly leftOut: readonly Resource[];
  /** Whether nothing is left open. */
  readonly certain: boolean;
  /** How a resource may be written in the list; undefined where that is not known. */
  readonly written: (resource: Resource) => Matcher | undefined;
}

/** With identifiers in place of paths where that is asked for. */
function select(start: Resource, criteria: Criteria, level: number | null, model: Model): Selection {
  const below = descendantsOf(start);
  const judged = below.map((resource) => {
    const near = level === null || depthBelow(start, resource) <= level;
    return { resource, picked: isDoubtful(resource) ? undefined : near && picks(resource, criteria) };
  });
  const of = (picked: boolean) => judged.filter((one) => one.picked === picked).map(({ resource }) => resource);
  const certain = [start, ...below].every(({ known }) => known) && judged.every(({ picked }) => picked !== undefined);
  return { found: of(true), leftOut: of(false), certain, written: (one) => ({ matching: writtenAddress(one, model) }) };
}

function depthBelow(start: Resource, resource: Resource): number {
  return resource.parent === undefined || resource.parent === start ? 1 : 1 + depthBelow(start, resource.parent);
}

function listed(
  selection: Selection,
  criteria: Criteria,
  { limit, offset, level, identifiers }: Pick<StandardDoing<'discover'>, 'limit' | 'offset' | 'level' | 'identifiers'>,
): Expected[] {
  const chosen = identifiers ? { ...selection, written: byIdentifier } : selection;
  const matchers = chosen.found.flatMap((one) => chosen.written(one) ?? []);
  if (matchers.length < chosen.found.length) return [];
  if (limit !== null) return bounded(chosen, matchers, limit);
  if (offset !== null) return fromPlace(chosen, matchers, offset);
  const plain = identifiers ? 'std.discovery.unstructured' : requirementOf(criteria);
  const requirement = level === null ? plain : 'std.filter.lvl';
  if (chosen.certain && chosen.found.length === 0) return [expected('std.discovery.none', { found: { length: 0 } })];
  if (chosen.certain) return [expected(requirement, { found: { 'contains exactly': matchers } })];
  const others = chosen.leftOut.flatMap((one) => chosen.written(one) ?? []);
  const all = [...matchers.map((one) => ({ contains: one })), ...others.map((one) => ({ not: { contains: one } }))];
  return all.length === 0 ? [] : [expected(requirement, { found: { 'all of': all } })];
}

function byIdentifier({ shown: { ri } }: Resource): Matcher | undefined {
  return ri === undefined ? undefined : { matching: `(^|/)${literally(ri)}$` };
}

/** Some of what matches, and no more than that; a list that was cut short says so. */
function bounded({ certain, found }: Selection, matchers: readonly Matcher[], limit: number): Expected[] {
  if (!certain) return [];
  const lengths = Array.from({ length: Math.min(limit, found.length) + 1 }, (_, length) => ({ length }));
  const some = expected('std.filter.lim', { found: { 'one of': lengths } });
  const each =
    matchers.length === 0 ? [] : [expected('std.filter.lim', { found: { every: { 'one of': [...matchers] } } })];
  const partial = expected('std.filter.lim.partial', { header: { 'x-m2m-cts': '1' } });
  return [some, ...each, ...(found.length > limit ? [partial] : [])];
}

/** The place is counted from 1. */
function fromPlace({ certain, found }: Selection, matchers: readonly Matcher[], offset: number): Expected[] {
  if (!certain) return [];
  const length = Math.max(0, found.length - offset + 1);
  const each = length === 0 ? [] : [expected('std.filter.ofst', { found: { every: { 'one of': [...matchers] } } })];
  return [expected('std.filter.ofst', { found: { length } }), ...each];
}

function criteriaOf(
  { labels, kinds, after, before, size, any }: StandardDoing<'discover'>,
  ground: StandardGround,
): Criteria {
  const sized = !any && (size.least !== undefined || size.below !== undefined);
  return {
    lbl: labels.map((label) => labelAt(label, ground)),
    kinds: sized ? ['content instance'] : kinds,
    cra: timeOf(after, ground),
    crb: timeOf(before, ground),
    ...(sized && { sza: size.least, szb: size.below }),
    any,
  };
}

function timeOf(bound: StandardDoing<'discover'>['after'], { model }: StandardGround): string | undefined {
  if (bound === null) return undefined;
  if (bound === 'the past') return '20010101T000000';
  if (bound === 'the future') return '20990101T000000';
  return pick(model.all(), bound)?.shown.ct;
}

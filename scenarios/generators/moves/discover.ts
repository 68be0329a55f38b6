import type { Matcher } from '../../engine/grammar/grammar-matcher.ts';
import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import { type Expected, expected } from '../model/expected.ts';
import { isDoubtful, kindFacts, labelsOf, type ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { ask, type Ground, labelAt, type Move, type Part, pick } from './move.ts';
import { understood } from './read.ts';

/** Discovery by a label, and then with a creation time or a kind beside it: rows 11 and 12 of the endpoints. */
export function* discover({ label, after, kind, by }: Doing<'discover'>, ground: Ground): Move {
  const lbl = labelAt(label, ground);
  yield* discoverLabel(lbl, ground);
  if (by !== 'nobody') yield* discoverLabel(lbl, ground, by);
  const created = timeOf(after, ground);
  if (created !== undefined) yield* discoverLater(lbl, created, ground);
  if (kind !== null) yield* discoverKind(lbl, kind, ground);
}

type Where = Readonly<Record<string, string | number>>;

function asking(where: Where, { model: { names } }: Ground, expectations: Expected[], more: Parameters<typeof ask>[3]) {
  const step = { discover: `/~/${names.cseId}/${names.base}`, where };
  return ask(step, 'discover', expectations, { form: 'SP-relative', ...more });
}

/** Discovery by label = filter over the model. Which originator finds what is not shown. */
export function* discoverLabel(lbl: string, ground: Ground, by = 'nobody'): Part<void> {
  const { carrying, others } = withLabel(lbl, ground);
  const status = carrying.length === 0 ? 'discovery.empty.status' : 'discovery.by-label.status';
  const found = [expected(status, { status: 200 }), ...carrying.map((one) => lists('discovery.label.finds', one))];
  const left = others.map((one) => leavesOut('discovery.label.leaves-out-others', one));
  if (by === 'nobody') yield asking({ lbl }, ground, [...found, ...left], { expect: 'success' });
  else yield asking({ lbl }, ground, [...(by === 'visitor' ? [understood] : []), ...left], { by });
}

function* discoverLater(lbl: string, created: string, ground: Ground): Part<void> {
  const { carrying, others } = withLabel(lbl, ground);
  const limit = parseTimestamp(created) ?? 0n;
  const timed = carrying.flatMap((resource) => {
    const at = parseTimestamp(resource.shown.ct ?? '');
    return at === undefined ? [] : [{ resource, later: at > limit }];
  });
  const isSome = timed.some(({ later }) => later);
  const expectations = [
    expected(isSome ? 'discovery.created-after.status' : 'discovery.empty.status', { status: 200 }),
    ...timed.map(({ resource, later }) =>
      later
        ? lists('discovery.created-after.finds-later', resource)
        : leavesOut('discovery.created-after.leaves-out-earlier', resource),
    ),
    ...others.map((one) => leavesOut('discovery.label.leaves-out-others', one)),
  ];
  yield asking({ cra: created, lbl }, ground, expectations, { expect: 'success' });
}

/** The kind beside the label is a gap. */
function* discoverKind(lbl: string, kind: ModelResource['kind'], ground: Ground): Part<void> {
  const meant = withLabel(lbl, ground).carrying.filter((one) => one.kind === kind);
  const requirement = 'discovery.filter.different-criteria';
  const found = [
    expected(requirement, { status: 200, found: { length: meant.length } }),
    ...meant.map((one) => lists(requirement, one)),
  ];
  const isOpen = ground.model.all().some(isDoubtful);
  yield asking({ lbl, ty: kindFacts[kind].ty }, ground, isOpen ? [] : found, { kind });
}

/** What carries the label, and what certainly does not. */
function withLabel(lbl: string, { model }: Ground): { carrying: ModelResource[]; others: ModelResource[] } {
  const certain = model.all().filter((one) => labelsOf(one) !== undefined && !isDoubtful(one));
  const carries = (one: ModelResource) => labelsOf(one)?.includes(lbl) === true;
  return { carrying: certain.filter(carries), others: certain.filter((one) => !carries(one)) };
}

/** How addresses are written in the answer is a gap: by any path that ends in its names, or by its identifier. */
function itsAddress(resource: ModelResource): Matcher {
  const path = resource.names.join('/');
  const { ri } = resource.shown;
  const endings = ri === undefined ? [path] : [path, ri];
  return { 'one of': endings.flatMap((ending) => [ending, { 'ends with': `/${ending}` }]) };
}

function lists(requirement: string, resource: ModelResource): Expected {
  return expected(requirement, { found: { 'when present': { contains: itsAddress(resource) } } });
}

function leavesOut(requirement: string, resource: ModelResource): Expected {
  return expected(requirement, { found: { 'when present': { not: { contains: itsAddress(resource) } } } });
}

/** In the documented form, with a space. */
function timeOf(after: Doing<'discover'>['after'], { model }: Ground): string | undefined {
  if (after === null) return undefined;
  if (after === 'the past') return '2001-01-01 00:00:00.000000+00:00';
  if (after === 'the future') return '2999-01-01 00:00:00.000000+00:00';
  const instant = parseTimestamp(pick(model.all(), after)?.shown.ct ?? '');
  return instant === undefined ? undefined : writeTimestamp(instant, 'with a space');
}

import type { Matcher } from '../../engine/grammar/grammar-matcher.ts';
import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import { type Expected, expected } from '../model/expected.ts';
import { kindFacts, labelsOf, type ModelResource } from '../model/resource.ts';
import { isDoubtful } from '../model/tree.ts';
import type { Doing, Originator } from '../operations/operation.ts';
import { type Ground, labelAt, type Move, type Part, pick } from './move.ts';
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

/** Discovery by label = filter over the model. */
export function* discoverLabel(lbl: string, ground: Ground, by: Originator = 'nobody'): Part<void> {
  const { carrying, others } = withLabel(lbl, ground);
  yield {
    step: { discover: start(ground), where: { lbl } },
    by,
    expect: by === 'nobody' ? 'success' : 'either',
    expectations: [
      ...(by === 'nobody' ? found(carrying) : by === 'visitor' ? [understood] : []),
      ...others.map((one) => leavesOut('discovery.label.leaves-out-others', one)),
    ],
    about: { operation: 'discover', form: 'SP-relative' },
  };
}

/** Which originator finds what is not shown. */
function found(carrying: readonly ModelResource[]): Expected[] {
  const status = carrying.length === 0 ? 'discovery.empty.status' : 'discovery.by-label.status';
  return [expected(status, { status: 200 }), ...carrying.map((one) => lists('discovery.label.finds', one))];
}

function* discoverLater(lbl: string, created: string, ground: Ground): Part<void> {
  const { carrying, others } = withLabel(lbl, ground);
  const limit = parseTimestamp(created) ?? 0n;
  const timed = carrying.flatMap((resource) => {
    const at = parseTimestamp(resource.shown.ct ?? '');
    return at === undefined ? [] : [{ resource, later: at > limit }];
  });
  const later = timed.filter((one) => one.later).map(({ resource }) => resource);
  const earlier = timed.filter((one) => !one.later).map(({ resource }) => resource);
  const status = later.length > 0 ? 'discovery.created-after.status' : 'discovery.empty.status';
  yield {
    step: { discover: start(ground), where: { cra: created, lbl } },
    by: 'nobody',
    expect: 'success',
    expectations: [
      expected(status, { status: 200 }),
      ...later.map((one) => lists('discovery.created-after.finds-later', one)),
      ...earlier.map((one) => leavesOut('discovery.created-after.leaves-out-earlier', one)),
      ...others.map((one) => leavesOut('discovery.label.leaves-out-others', one)),
    ],
    about: { operation: 'discover', form: 'SP-relative' },
  };
}

/** The kind beside the label is a gap. */
function* discoverKind(lbl: string, kind: ModelResource['kind'], ground: Ground): Part<void> {
  const { carrying } = withLabel(lbl, ground);
  const meant = carrying.filter((one) => one.kind === kind);
  yield {
    step: { discover: start(ground), where: { lbl, ty: kindFacts[kind].ty } },
    by: 'nobody',
    expect: 'either',
    expectations: ground.model.all().some(isDoubtful)
      ? []
      : [
          expected('discovery.filter.different-criteria', { status: 200, found: { length: meant.length } }),
          ...meant.map((one) => lists('discovery.filter.different-criteria', one)),
        ],
    about: { operation: 'discover', kind, form: 'SP-relative' },
  };
}

function start({ model: { names } }: Ground): string {
  return `/~/${names.cseId}/${names.base}`;
}

/** What carries the label, and what certainly does not. */
function withLabel(lbl: string, { model }: Ground): { carrying: ModelResource[]; others: ModelResource[] } {
  const carrying: ModelResource[] = [];
  const others: ModelResource[] = [];
  for (const one of model.all()) {
    const labels = labelsOf(one);
    if (labels === undefined || isDoubtful(one)) continue;
    (labels.includes(lbl) ? carrying : others).push(one);
  }
  return { carrying, others };
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

import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import { expected } from '../model/expected.ts';
import { isDoubtful, kindFacts, labelsOf, type ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { ask, type Ground, labelAt, type Move, type Part, pick } from './move.ts';
import { understood } from './read.ts';

/** Discovery by a label, and then with a creation time or a kind beside it: rows 11 and 12 of the endpoints. */
export function* discover({ label, after, kind, by }: Doing<'discover'>, ground: Ground): Move {
  const lbl = labelAt(label, ground);
  yield* discoverLabel(lbl, ground);
  if (by === 'visitor') yield asking({ lbl }, ground, { by }, [understood]);
  else if (by !== 'nobody') yield asking({ lbl }, ground, { by });
  const cra = timeOf(after, ground);
  if (cra !== undefined) yield asking({ cra, lbl }, ground, { expect: 'success' });
  if (kind !== null) yield* discoverKind(lbl, kind, ground);
}

type Where = Readonly<Record<string, string | number>>;

/** What is found by a label, rules know; which originator finds what is not shown. */
function asking(
  where: Where,
  { model: { names } }: Ground,
  more: Parameters<typeof ask>[3],
  expectations: Parameters<typeof ask>[2] = [],
) {
  const step = { discover: `/~/${names.cseId}/${names.base}`, where };
  return ask(step, 'discover', expectations, { form: 'SP-relative', ...more });
}

export function* discoverLabel(lbl: string, ground: Ground): Part<void> {
  yield asking({ lbl }, ground, { expect: 'success' });
}

/** The kind beside the label is a gap. */
function* discoverKind(lbl: string, kind: ModelResource['kind'], ground: Ground): Part<void> {
  const all = ground.model.all();
  const found = all.filter((one) => one.kind === kind && labelsOf(one)?.includes(lbl)).length;
  const isOpen = all.some((one) => isDoubtful(one) || labelsOf(one) === undefined);
  const counted = expected('discovery.filter.different-criteria', { status: 200, found: { length: found } });
  yield asking({ lbl, ty: kindFacts[kind].ty }, ground, { kind }, isOpen ? [] : [counted]);
}

/** In the documented form, with a space. */
function timeOf(after: Doing<'discover'>['after'], { model }: Ground): string | undefined {
  if (after === null) return undefined;
  if (after === 'the past') return '2001-01-01 00:00:00.000000+00:00';
  if (after === 'the future') return '2999-01-01 00:00:00.000000+00:00';
  const instant = parseTimestamp(pick(model.all(), after)?.shown.ct ?? '');
  return instant === undefined ? undefined : writeTimestamp(instant, 'with a space');
}

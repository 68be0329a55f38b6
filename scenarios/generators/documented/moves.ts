/** Moves that are specific to the documented dialect. */
import { factsOf } from '../../engine/grammar/vocabulary.ts';
import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import { pathOf } from '../created/address.ts';
import { type GeneratedResource, isLimited } from '../created/resource.ts';
import { sharedMoves } from '../moves/look.ts';
import { checkInstances, read, readIn } from '../moves/looks.ts';
import { ask, labelAt, type Move, pick } from '../moves/move.ts';
import type { Creation, DialectTraits, MoveContext } from '../moves/move-context.ts';
import type { DocumentedOperation, Doing } from '../operations/documented.ts';

const moves: { readonly [D in DocumentedOperation['does']]: (operation: Doing<D>, context: MoveContext) => Move } = {
  ...sharedMoves,
  ...{ retrieve, update, discover },
};

/** The requests of an operation; none if it has no resource yet. */
export function moveOf(operation: DocumentedOperation, context: MoveContext): Move {
  return (moves[operation.does] as (operation: DocumentedOperation, context: MoveContext) => Move)(operation, context);
}

/** Reads by any form of address, after the CSE-relative path, so that only the form can make a difference. */
function* retrieve({ what, form, by }: Doing<'retrieve'>, context: MoveContext): Move {
  const resource = pick(context.created.all(), what);
  if (resource === undefined) return;
  const readers = [context.anyOriginator ? resource.owner : 'nobody', 'nobody', by];
  for (const reader of new Set(readers)) yield* read(resource, context, { by: reader });
  if (by === 'nobody' && form !== 'structured') yield* readIn(form, resource, context);
}

function* update({ what, labels, own: mni }: Doing<'update'>, context: MoveContext): Move {
  const { created } = context;
  const resource = pick(created.all(), what);
  if (resource === undefined) return;
  const { type, attributes: held } = resource;
  const lbl = labels === null ? [] : labels.map((label) => labelAt(label, context));
  const attributes = { ...(lbl.length > 0 && { lbl }), ...(type === 'container' && mni !== null && { mni }) };
  const { outcome } = yield ask({ update: pathOf(resource, created), kind: type, attributes }, 'update', { type });
  if (outcome === 'refused') return;
  Object.assign(held, attributes);
  for (const label of lbl) created.labels.add(label);
  if (type === 'container' && isLimited(resource)) yield* checkInstances(resource, context);
}

/** Discovery by a label, then also by creation time or resource type: rows 11 and 12 of the endpoints. */
function* discover({ label, after, kind, by }: Doing<'discover'>, context: MoveContext): Move {
  const lbl = labelAt(label, context);
  for (const asker of new Set(['nobody', by])) yield discoverBy({ lbl }, context, { by: asker });
  const cra = timeOf(after, context);
  if (cra !== undefined) yield discoverBy({ cra, lbl }, context);
  if (kind !== null) yield discoverBy({ lbl, ty: factsOf(kind).ty }, context, { type: kind });
}

function discoverBy(
  where: Readonly<Record<string, string | number>>,
  { created: { names } }: MoveContext,
  more?: Parameters<typeof ask>[2],
) {
  const step = { discover: `/~/${names.cseId}/${names.base}`, where };
  return ask(step, 'discover', { form: 'SP-relative', ...more });
}

/** In the documented form, with a space. */
function timeOf(after: Doing<'discover'>['after'], { created }: MoveContext): string | undefined {
  if (after === null) return undefined;
  if (after === 'the past') return '2001-01-01 00:00:00.000000+00:00';
  if (after === 'the future') return '2999-01-01 00:00:00.000000+00:00';
  const instant = parseTimestamp(pick(created.all(), after)?.assigned.ct ?? '');
  return instant === undefined ? undefined : writeTimestamp(instant, 'with a space');
}

const slash = 'structured with a slash at the end';

/** A final slash is documented for content instances; for containers below the CSE base, the path / is its counterpart. */
function formOf({ form, kind }: Creation, parent: GeneratedResource | undefined): string {
  if (form !== slash || kind === 'content instance') return form;
  return kind === 'container' && parent === undefined ? 'root' : 'structured';
}

export const traits: DialectTraits = {
  asker: () => 'nobody',
  dialect: 'documented',
  formOf,
  /** The CSE base, by whose identifier application entities name their parent, and each label. */
  lookFurther: function* (context) {
    const { created } = context;
    const kind = 'CSE base';
    if (created.all('ae').length > 0) yield ask({ retrieve: pathOf(undefined, created) }, 'retrieve', { type: kind });
    for (const lbl of created.labels) yield discoverBy({ lbl }, context);
  },
  baseTypes: ['container'],
  application: () => ({ api: 'org.example.a', rr: 'TRUE' }),
  ownerOf: ({ by = 'nobody' }) => by,
  ends: ['latest'],
  subtreeForms: ['structured'],
};

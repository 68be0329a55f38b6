/** Moves that are specific to the onem2m dialect. */
import { factsOf } from '../../engine/grammar/vocabulary.ts';
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { addressFor, pathOf } from '../created/address.ts';
import { color, type GeneratedResource, type GeneratedType } from '../created/resource.ts';
import { create } from '../moves/create.ts';
import { sharedMoves } from '../moves/look.ts';
import { checkInstances, read, recordAssigned } from '../moves/looks.ts';
import { ask, type CreateAttributes, labelAt, type Move, pick } from '../moves/move.ts';
import type { DialectTraits, MoveContext } from '../moves/move-context.ts';
import type { StandardDoing, StandardOperation } from '../operations/onem2m.ts';
import { askAsAnother, fanOut, groupNeeded, guardNeeded } from './acts.ts';

type Does = StandardOperation['does'];

const moves: { readonly [D in Does]: (operation: StandardDoing<D>, context: MoveContext) => Move } = {
  ...sharedMoves,
  ...{ retrieve, update, discover, 'fan out': fanOut, 'ask as another': askAsAnother },
};

/** The requests of an operation; none if it has no resource yet, unless it creates what it lacks first. */
export function* moveOf(operation: StandardOperation, context: MoveContext): Move {
  yield* createMissing(operation, context);
  const { [operation.does]: move } = moves;
  yield* (move as (operation: StandardOperation, context: MoveContext) => Move)(operation, context);
}

/** More than any operation lacks; some creations may be refused. */
const most = 8;

/** Creates what an operation needs and sequences rarely have, so that one operation alone is a whole sequence. */
function* createMissing(operation: StandardOperation, context: MoveContext): Move {
  for (let made = 0; made < most; made += 1) {
    const lacking =
      operation.does === 'fan out'
        ? groupNeeded(operation, context)
        : operation.does === 'ask as another' && guardNeeded(operation, context);
    if (!lacking) return;
    yield* create(lacking, context);
  }
}

function* retrieve({ what, form: requested, content }: StandardDoing<'retrieve'>, context: MoveContext): Move {
  const resource = pick(context.created.all(), what);
  if (resource === undefined) return;
  const { path, form } = addressFor(resource, requested, context.created);
  const { type, owner: by } = resource;
  const query = queries[content];
  const operation = typeof content === 'number' ? `retrieve with rcn ${content}` : `retrieve: ${content}`;
  const response = yield ask({ retrieve: path, ...(query && { query }) }, operation, { by, type, form });
  if (content === 'default' || content === 1) recordAssigned(resource, response);
  else yield* read(resource, context, { operation: 'read again' });
}

/** Queries with a value of rcn, a list of attributes, or a filter. */
const queries: Readonly<Record<StandardDoing<'retrieve'>['content'], Record<string, string | number> | undefined>> = {
  default: undefined,
  1: { rcn: 1 },
  4: { rcn: 4 },
  5: { rcn: 5 },
  6: { rcn: 6 },
  8: { rcn: 8 },
  'one attribute': { atrl: 'ty' },
  'several attributes': { atrl: 'ty rn' },
  'one kind': { rcn: 4, ty: 4 },
};

function* update(operation: StandardDoing<'update'>, context: MoveContext): Move {
  const updatable = context.created.all().filter(({ type }) => type !== 'content instance');
  const resource = pick(updatable, operation.what);
  const attributes = resource === undefined ? {} : attributesOf(operation, resource, context);
  if (resource === undefined || Object.keys(attributes).length === 0) return;
  const { type, owner: by } = resource;
  const { path, form } = addressFor(resource, operation.form, context.created);
  const { rcn } = operation;
  const step = {
    ...{ update: path, kind: type, attributes: attributes as CreateAttributes },
    ...(type === 'flex container' && { root: color.root }),
    ...(rcn !== null && { query: { rcn } }),
  };
  const response = yield ask(step, 'update', { by, type, form });
  if (response.outcome !== 'success') return;
  Object.assign(resource.attributes, attributes);
  if (rcn === 1) recordAssigned(resource, response);
  if (type === 'container' && 'mni' in attributes) yield* checkInstances(resource, context);
}

function attributesOf(
  { labels, own }: StandardDoing<'update'>,
  { attributes, type }: GeneratedResource,
  context: MoveContext,
): Record<string, unknown> {
  const newLabels = labels?.map((label) => labelAt(label, context)) ?? [];
  const lbl = newLabels.length > 0 ? { lbl: newLabels } : Array.isArray(attributes.lbl) ? { lbl: null } : {};
  return { ...lbl, ...(own !== null && ownOf(type, own)) };
}

function ownOf(type: GeneratedType, own: number): Record<string, unknown> {
  if (type === 'container') return { mni: own };
  if (type === 'ae') return { apn: `app${own}` };
  if (type === 'group') return { gn: `group${own}` };
  return type === 'flex container' ? { red: own } : {};
}

type Discovery = StandardDoing<'discover'>;

function* discover(operation: Discovery, context: MoveContext): Move {
  const { created } = context;
  const starts = created.all().filter(({ type }) => type === 'ae' || type === 'container');
  const start = pick(starts, operation.start);
  if (start === undefined) return;
  const criteria = criteriaOf(operation, context);
  const { limit, offset, level, identifiers } = operation;
  // Without criteria, it is undefined whether any is met.
  const any = operation.any && Object.keys(criteria).length > 0;
  const where = {
    ...criteria,
    ...(any ? { fo: 2 } : level !== null && { lvl: level }),
    ...(limit !== null && { lim: limit }),
    ...(limit === null && offset !== null && { ofst: offset }),
    ...(identifiers && { drt: 2 }),
  };
  yield ask({ discover: pathOf(start, created), where }, 'discover', { by: start.owner, type: start.type });
}

/** Filter criteria; several values are alternatives. */
function criteriaOf({ labels, kinds, after, before, size, any }: Discovery, context: MoveContext) {
  const { least = [], below: most = [] } = any ? {} : size;
  const isSized = [least, most].flat().length > 0;
  const criteria: Readonly<Record<string, readonly (string | number)[]>> = {
    lbl: labels.map((label) => labelAt(label, context)),
    ty: (isSized ? (['content instance'] as const) : kinds).map((kind) => factsOf(kind).ty),
    cra: timeOf(after, context),
    crb: timeOf(before, context),
    sza: [least].flat(),
    szb: [most].flat(),
  };
  const entries = Object.entries(criteria).flatMap(([name, [value, ...more]]) =>
    value === undefined ? [] : [[name, more.length > 0 ? [value, ...more] : value] as const],
  );
  return Object.fromEntries(entries);
}

function timeOf(bound: Discovery['after'], { created }: MoveContext): readonly string[] {
  if (bound === null) return [];
  if (bound === 'the past') return ['20010101T000000'];
  const ct = bound === 'the future' ? '20990101T000000' : pick(created.all(), bound)?.assigned.ct;
  return ct === undefined || parseTimestamp(ct) === undefined ? [] : [ct];
}

/** The next originator to register; each does so once. */
function nextAsker({ created, anyOriginator }: MoveContext): string | undefined {
  const registered = new Set(created.all('ae').map(({ owner }) => owner));
  if (!registered.has('first')) return 'first';
  return anyOriginator && !registered.has('second') ? 'second' : undefined;
}

export const traits: DialectTraits = {
  asker: ({ owner }) => owner,
  dialect: 'onem2m',
  baseTypes: [],
  application: (content, { release }) => ({
    ...{ api: 'Ncselab', rr: true },
    ...(content % 2 === 1 && { apn: 'app' }),
    ...(!/^(1|2|2a)$/.test(release) && { srv: ['3'] }),
  }),
  ownerOf: (_, parent, context) => (parent === undefined ? nextAsker(context) : parent.owner),
  formOf: ({ form }, parent) => (parent === undefined ? 'structured' : form),
  ends: ['la', 'ol'],
  subtreeForms: ['structured', 'identifier'],
};

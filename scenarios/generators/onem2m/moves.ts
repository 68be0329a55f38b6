/** What the onem2m dialect does in ways of its own. */
import { factsOf } from '../../engine/grammar/vocabulary.ts';
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { pathOf, placeOf } from '../created/address.ts';
import { color, type GeneratedKind, type GeneratedResource } from '../created/resource.ts';
import { create } from '../moves/create.ts';
import { alike } from '../moves/look.ts';
import { lookAtInstances, read, takeShown } from '../moves/looks.ts';
import { ask, type CreateAttributes, labelAt, type Move, pick } from '../moves/move.ts';
import type { MoveContext, Wording } from '../moves/move-context.ts';
import type { StandardDoing, StandardOperation } from '../operations/onem2m.ts';
import { askAsAnother, fanOut, groupNeeded, guardNeeded } from './acts.ts';

type Does = StandardOperation['does'];

const moves: { readonly [D in Does]: (operation: StandardDoing<D>, context: MoveContext) => Move } = {
  ...alike,
  ...{ retrieve, update, discover, 'fan out': fanOut, 'ask as another': askAsAnother },
};

/** The requests of an operation. One that has nothing to speak of yet sends none, or creates what it lacks first. */
export function* moveOf(operation: StandardOperation, context: MoveContext): Move {
  yield* beforehand(operation, context);
  const { [operation.does]: move } = moves;
  yield* (move as (operation: StandardOperation, context: MoveContext) => Move)(operation, context);
}

/** More than what any operation lacks; some creations may be refused. */
const most = 8;

/** Creates what an operation speaks of that seldom comes about by itself, so that a sequence of one operation is a whole one. */
function* beforehand(operation: StandardOperation, context: MoveContext): Move {
  for (let made = 0; made < most; made += 1) {
    const lacking =
      operation.does === 'fan out'
        ? groupNeeded(operation, context)
        : operation.does === 'ask as another' && guardNeeded(operation, context);
    if (!lacking) return;
    yield* create(lacking, context);
  }
}

function* retrieve({ what, form: asked, content }: StandardDoing<'retrieve'>, context: MoveContext): Move {
  const resource = pick(context.created.all(), what);
  if (resource === undefined) return;
  const { path, form } = placeOf(resource, asked, context.created);
  const { kind, owner: by } = resource;
  const query = queries[content];
  const operation = typeof content === 'number' ? `retrieve with rcn ${content}` : `retrieve: ${content}`;
  const came = yield ask({ retrieve: path, ...(query && { query }) }, operation, { by, kind, form });
  if (content === 'default' || content === 1) takeShown(resource, came);
  else yield* read(resource, context, { operation: 'read again' });
}

/** What is asked for with a value of rcn, a list of attributes, or a filter. */
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
  const updatable = context.created.all().filter(({ kind }) => kind !== 'content instance');
  const resource = pick(updatable, operation.what);
  const attributes = resource === undefined ? {} : attributesOf(operation, resource, context);
  if (resource === undefined || Object.keys(attributes).length === 0) return;
  const { kind, owner: by } = resource;
  const { path, form } = placeOf(resource, operation.form, context.created);
  const { rcn } = operation;
  const step = {
    ...{ update: path, kind, attributes: attributes as CreateAttributes },
    ...(kind === 'flex container' && { root: color.root }),
    ...(rcn !== null && { query: { rcn } }),
  };
  const came = yield ask(step, 'update', { by, kind, form });
  if (came.outcome !== 'success') return;
  Object.assign(resource.held, attributes);
  if (rcn === 1) takeShown(resource, came);
  if (kind === 'container' && 'mni' in attributes) yield* lookAtInstances(resource, context);
}

function attributesOf(
  { labels, own }: StandardDoing<'update'>,
  { held, kind }: GeneratedResource,
  context: MoveContext,
): Record<string, unknown> {
  const given = labels?.map((label) => labelAt(label, context)) ?? [];
  const lbl = given.length > 0 ? { lbl: given } : Array.isArray(held.lbl) ? { lbl: null } : {};
  return { ...lbl, ...(own !== null && ownOf(kind, own)) };
}

function ownOf(kind: GeneratedKind, own: number): Record<string, unknown> {
  if (kind === 'container') return { mni: own };
  if (kind === 'ae') return { apn: `app${own}` };
  if (kind === 'group') return { gn: `group${own}` };
  return kind === 'flex container' ? { red: own } : {};
}

type Discovery = StandardDoing<'discover'>;

function* discover(operation: Discovery, context: MoveContext): Move {
  const { created } = context;
  const starts = created.all().filter(({ kind }) => kind === 'ae' || kind === 'container');
  const start = pick(starts, operation.start);
  if (start === undefined) return;
  const criteria = criteriaOf(operation, context);
  const { limit, offset, level, identifiers } = operation;
  // Of no criteria at all, nobody says whether any is met.
  const any = operation.any && Object.keys(criteria).length > 0;
  const where = {
    ...criteria,
    ...(any ? { fo: 2 } : level !== null && { lvl: level }),
    ...(limit !== null && { lim: limit }),
    ...(limit === null && offset !== null && { ofst: offset }),
    ...(identifiers && { drt: 2 }),
  };
  yield ask({ discover: pathOf(start, created), where }, 'discover', { by: start.owner, kind: start.kind });
}

/** What is asked for; several values are alternatives. */
function criteriaOf({ labels, kinds, after, before, size, any }: Discovery, context: MoveContext) {
  const { least = [], below: most = [] } = any ? {} : size;
  const isSized = [least, most].flat().length > 0;
  const asked: Readonly<Record<string, readonly (string | number)[]>> = {
    lbl: labels.map((label) => labelAt(label, context)),
    ty: (isSized ? (['content instance'] as const) : kinds).map((kind) => factsOf(kind).ty),
    cra: timeOf(after, context),
    crb: timeOf(before, context),
    sza: [least].flat(),
    szb: [most].flat(),
  };
  const given = Object.entries(asked).flatMap(([name, [value, ...more]]) =>
    value === undefined ? [] : [[name, more.length > 0 ? [value, ...more] : value] as const],
  );
  return Object.fromEntries(given);
}

function timeOf(bound: Discovery['after'], { created }: MoveContext): readonly string[] {
  if (bound === null) return [];
  if (bound === 'the past') return ['20010101T000000'];
  const ct = bound === 'the future' ? '20990101T000000' : pick(created.all(), bound)?.shown.ct;
  return ct === undefined || parseTimestamp(ct) === undefined ? [] : [ct];
}

/** Who has not registered yet; each registers once. */
function nextAsker({ created, anyOriginator }: MoveContext): string | undefined {
  const registered = new Set(created.all('ae').map(({ owner }) => owner));
  if (!registered.has('first')) return 'first';
  return anyOriginator && !registered.has('second') ? 'second' : undefined;
}

export const words: Wording = {
  asker: ({ owner }) => owner,
  dialect: 'onem2m',
  baseHolds: [],
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

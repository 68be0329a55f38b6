/** What the documented dialect says of what is asked and looked at: most of it is a gap. */
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { pathOf } from '../model/address.ts';
import { type Expected, expected, notThere, textOf, whenPresent } from '../model/expected.ts';
import { endOf, kindFacts, type ModelResource } from '../model/resource.ts';
import { areaOf } from '../moves/ends.ts';
import { ask, type Move, textIn } from '../moves/move.ts';
import type { EndRead, Ground, Wording } from '../moves/wording.ts';
import { creation, formOf, settle } from './create.ts';
import { again, discoverLabel } from './moves.ts';
import { read } from './read.ts';

function* lookAt(resource: ModelResource, ground: Ground): Move {
  const { outcome, view } = yield* read(resource, ground, 'nobody', 'look at everything');
  if (outcome === 'success' && resource.readBySpRelative) yield* again(resource, 'SP-relative', view, ground);
}

/** The CSE base, by whose identifier application entities name their parent, and each label. */
function* lookAround({ model }: Ground): Move {
  const isBase = expected('cse-base.retrieve', { status: 200, root: 'm2m:cb' });
  const kind = 'CSE base';
  if (model.all('ae').length > 0) yield ask({ retrieve: pathOf(undefined, model) }, 'retrieve', [isBase], { kind });
  for (const label of model.labels) yield* discoverLabel(label, { model });
}

/** Row 7 of the endpoints; everything else is a gap, and which originator may do what is not shown. */
function endShown(container: ModelResource, { word, form, by, removed }: EndRead): Expected[] {
  const meant = endOf(container, word);
  const another = whenPresent('lifecycle.removed-is-gone', 'rn', { not: removed?.name ?? '' });
  const area = areaOf(word);
  return [
    ...(removed === undefined ? [] : [another]),
    ...(meant === undefined ? [expected(`${area}.empty-container`, { status: 404 })] : shownAt(word, form, by, meant)),
  ];
}

function shownAt(word: string, form: string, by: string, { name }: ModelResource): Expected[] {
  if (word === 'latest' && form === 'structured') {
    // To whom the newest is not shown, none may be there.
    const status = by === 'nobody' ? [expected('latest.status', { status: 200 })] : [];
    return [...status, textOf('latest.newest', 'rn', name)];
  }
  const short = word.startsWith('la') ? 'latest.short-name' : word === 'ol' ? 'oldest.short-name' : 'oldest.retrieve';
  const requirement = form === 'SP-relative' ? 'sp-relative.latest' : short;
  return [expected(requirement, { status: 200, attributes: { rn: name } })];
}

function removal({ kind, owner }: ModelResource, { form }: { readonly form: string }): ReturnType<Wording['removal']> {
  if (kind === 'ae' && form === 'structured' && owner === 'nobody')
    return { expect: 'success', expectations: removalOfAe };
  const isOther = form === 'SP-relative' || kind === 'ae';
  const requirement = isOther ? 'sp-relative.delete' : `${kindFacts[kind].area}.delete.status`;
  return { expect: 'either', expectations: [expected(requirement, { status: 200 })] };
}

const removalOfAe = [
  expected('ae.delete.status', { status: 200 }),
  expected('ae.delete.body', { body: { is: 'present' } }),
];

/** Milliseconds by which clocks and the times of a request may differ. */
const tolerance = 60_000;

export const words: Wording = {
  asker: () => 'nobody',
  dialect: 'documented',
  ...{ lookAt, lookAround, removal, endShown },
  ...{ creation, formOf, settle },
  baseHolds: ['container'],
  application: () => ({ api: 'org.example.a', rr: 'TRUE' }),
  ownerOf: ({ by }) => by,
  ends: ['latest'],
  refused: (requirement, codes) => [expected(requirement, { status: Number(codes) })],
  nothingStored: [expected('body.refused-stores-nothing', { status: 404 })],
  gone: (_, requirement = 'lifecycle.removed-is-gone') => [expected(requirement, { status: notThere })],
  subtreeGone: ({ kind }) => [
    expected(kind === 'ae' ? 'ae.delete.subtree' : 'container.delete.subtree', { status: 404 }),
  ],
  subtreeForms: ['structured'],
  endRemoved: (area, meant) => [expected(`${area}.delete`, { status: meant === undefined ? 404 : 200 })],
  endGone: (area) => `${area}.delete-removes-it`,
  // A content instance may go sooner by the largest age that its container allows.
  lifeOf: ({ kind, parent }, view) => {
    const [from, to] = ['ct', 'et'].map((name) => parseTimestamp(textIn(view, name) ?? ''));
    const mia = kind === 'content instance' ? parent?.held.mia : undefined;
    const lives = [
      ...(from === undefined || to === undefined ? [] : [Number((to - from) / 1000n)]),
      ...(mia === undefined ? [] : [Number(mia) * 1000]),
    ];
    return lives.length === 0 ? undefined : Math.min(...lives) - tolerance;
  },
  expired: ({ kind, expires = 0, parent }, passed) => {
    if (passed < expires + 2 * tolerance) return [];
    const byAge = kind === 'content instance' && parent?.held.mia !== undefined;
    return [expected(byAge ? 'retention.mia.old-ones-go' : 'common.et.expired', { status: 404 })];
  },
};

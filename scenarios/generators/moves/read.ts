import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { pathOf } from '../model/address.ts';
import { isPlainText } from '../model/contents.ts';
import { type Expected, expected, notThere, numberOf, succeeds, whenPresent } from '../model/expected.ts';
import { contentOf, instancesOf, kindFacts, type ModelResource } from '../model/resource.ts';
import { ask, type Came, type Ground, type Part, textIn, type Wording } from './move.ts';

/** A read by the path relative to the CSE base, of what the model holds. */
export function* read(resource: ModelResource, ground: Ground, by = 'nobody', operation = 'retrieve'): Part<Came> {
  const came = yield ask(
    { retrieve: pathOf(resource, ground.model) },
    operation,
    [...statusOf(resource, by, ground), ...asHeld(resource)],
    { by, ...(by === 'nobody' && { expect: 'success' }), kind: resource.kind },
  );
  if (came.outcome === 'success' && textIn(came.view, 'ri') === resource.shown.ri) resource.read = true;
  return came;
}

/** The most particular requirement first, so that it is the one that is named. */
function statusOf({ kind, parent, held, spRelative, owner }: ModelResource, by: string, { plain }: Ground): Expected[] {
  if (by !== 'nobody') return by === 'visitor' ? [understood] : [];
  const nested =
    kind === 'content instance' ? parent?.parent?.kind === 'container' : parent?.kind !== 'ae' && kind === 'container';
  return [
    ...(plain && owner !== 'nobody' ? [expected('wire.originator.not-needed-over-http', { status: succeeds })] : []),
    ...(spRelative ? [expected('sp-relative.create.same-tree', { status: succeeds })] : []),
    ...(nested || held.rn === undefined ? [expected('common.rn.path-segment', { status: succeeds })] : []),
    ...(nested ? [] : [expected(`${kindFacts[kind].area}.retrieve.status`, { status: 200 })]),
  ];
}

/** An originator of the documented form, where it is not shown whether it may do this. */
export const understood = expected('wire.originator.absolute-form', {
  'one of': [
    { source: 'Wire conventions, originator header', status: succeeds },
    {
      variant: 'understood, but not authorised',
      source: 'Authentication: which originator may do what is not shown',
      status: { 'one of': [401, 403] },
    },
  ],
});

/** Makes sure that nothing was created where a creation was refused. */
export function* nothingCreated(
  parent: ModelResource | undefined,
  name: string | undefined,
  { model }: Ground,
): Part<void> {
  if (name !== undefined) {
    model.use(parent, name);
    const nothing = expected('body.refused-stores-nothing', { status: 404 });
    const step = { retrieve: `${pathOf(parent, model)}/${name}` };
    const { outcome, view } = yield ask(step, 'look whether it is there', [nothing]);
    if (outcome === 'refused' && view.status === 404) return;
  }
  if (parent !== undefined) parent.known = false;
}

/** What the model holds of it and no rule can tell; counters only where it is certain which content instances the container holds: it is looked for where a limit may have cost some. */
export function asHeld({ kind, known, children }: ModelResource): Expected[] {
  if (kind === 'content instance') return [whenPresent('content-instance.st.zero', 'st', { 'one of': ['0', 0] })];
  if (kind !== 'container' || !known) return [];
  const instances = instancesOf({ children });
  const count = numberOf('container.cni.counts', 'cni', instances.length);
  if (!instances.every(({ held }) => isPlainText(held))) return [count];
  const bytes = instances.reduce((sum, one) => sum + contentOf(one).length, 0);
  return [count, numberOf('container.cbs.counts', 'cbs', bytes)];
}

/** Milliseconds by which clocks and the times of a request may differ. */
const tolerance = 60_000;

/** What the documented dialect says of what is looked at: most of it is a gap. */
export const words: Wording = {
  asker: () => 'nobody',
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

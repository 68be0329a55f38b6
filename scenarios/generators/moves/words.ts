/** What the documented dialect says of what is looked at: most of it is a gap. */
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { expected, notThere } from '../model/expected.ts';
import { textIn, type Words } from './move.ts';

/** Milliseconds by which clocks and the times of a request may differ. */
const tolerance = 60_000;

export const words: Words = {
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

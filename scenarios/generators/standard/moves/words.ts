/** What the onem2m dialect says of what is looked at. */
import type { Words } from '../../moves/move.ts';
import { answered } from './read.ts';

/** Milliseconds before its end from which on something may be gone, and after it in which a CSE may still hold it: it may look for that from time to time only. */
const tolerance = { before: 1000, after: 15_000 };

export const words: Words = {
  asker: ({ owner }) => owner,
  gone: ({ kind }, requirement = kind === 'ae' ? 'std.ae.deregister.gone' : 'std.delete.gone') =>
    answered(requirement, 4004),
  subtreeGone: ({ kind }) => answered(kind === 'ae' ? 'std.ae.deregister.subtree-gone' : 'std.delete.subtree', 4004),
  subtreeForms: ['structured', 'identifier'],
  endRemoved: (area, meant) =>
    meant === undefined ? answered(`std.${area}.delete.none`, 4004) : answered(`std.${area}.delete`, 2002),
  endGone: (area) => `std.${area}.delete.gone`,
  lifeOf: ({ kind, parent }) => {
    const mia = kind === 'content instance' ? parent?.held.mia : undefined;
    return typeof mia === 'number' ? mia * 1000 - tolerance.before : undefined;
  },
  expired: ({ expires = 0 }, passed) =>
    passed - expires < tolerance.before + tolerance.after ? [] : answered('std.retention.mia', 4004),
};

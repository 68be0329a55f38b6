/** The requests of a move, sent to the CSE that they are about. */
import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Site } from '../../engine/running/installation.ts';
import { type Expected, expected } from '../model/expected.ts';
import type { Action, Part } from '../moves/move.ts';
import { sameIn } from '../moves/retrieve.ts';

export const sites: readonly Site[] = ['gateway', 'backend'];

/** All requests to the CSE that they are about, and all looks to its inboxes. */
export function* sentTo<T, Asked extends Action>(site: Site, part: Part<T, Asked>): Part<T, Asked> {
  let next = part.next();
  while (!next.done) next = part.next(yield directly(next.value, site));
  return next.value;
}

export function directly<Asked extends Action>(action: Asked, site: Site): Asked {
  return 'watch' in action ? { ...action, at: site } : { ...action, on: site, host: site };
}

/** What an answer shows that is the same whenever it is read, as long as nothing changes. */
const standing = ['ri', 'rn', 'pi', 'ct', 'ty', 'cni', 'cbs', 'st', 'con', 'cnf', 'cs', 'aei', 'api', 'lbl', 'cr'];

/** Another answer shows what this one has shown. */
export function sameAs(
  { attributes = {}, root }: AnswerView,
  requirement = 'forwarding.same-representation',
): Expected[] {
  const shown = standing.filter((name) => attributes[name] !== undefined);
  return [
    ...(typeof root === 'string' ? [expected(requirement, { root })] : []),
    ...shown.map((name) => sameIn(attributes, name, requirement)),
  ];
}

import type { AnswerView } from '../../engine/judging/answer.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';

/** What an answer shows that is the same whenever it is read, as long as nothing changes. */
const standing = [
  'ri',
  'rn',
  'pi',
  'ct',
  'ty',
  'cni',
  'cbs',
  'st',
  'con',
  'cnf',
  'cs',
  'aei',
  'api',
  'lbl',
  'cr',
] as const;

/** Another answer shows what this one has shown. */
export function sameAs(
  { attributes = {}, root }: AnswerView,
  requirement = 'forwarding.same-representation',
): Expected[] {
  const shown = standing.filter((name) => attributes[name] !== undefined);
  return [
    ...(typeof root === 'string' ? [expected(requirement, { root })] : []),
    ...shown.map((name) => {
      const value = attributes[name];
      const matcher = typeof value === 'string' ? { 'same as': value } : { equals: value as number };
      return whenPresent(requirement, name, matcher);
    }),
  ];
}

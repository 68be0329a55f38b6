import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Matcher } from '../../engine/grammar/grammar-matcher.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';

/** What a requirement says about one answer, in the words of the scenario grammar. */
export interface Expected {
  readonly requirement: string;
  readonly check: Check;
}

export function expected(requirement: string, check: Check): Expected {
  return { requirement, check };
}

/** About one attribute of the representation. */
export function attribute(requirement: string, name: string, matcher: Matcher): Expected {
  return { requirement, check: { attributes: { [name]: matcher } } };
}

/** About its value alone: that it is there at all is a requirement of its own. */
export function whenPresent(requirement: string, name: string, matcher: Matcher): Expected {
  return attribute(requirement, name, { 'when present': matcher });
}

/** That its value is this, if it is a text: that it is one is a requirement of its own. */
export function textOf(requirement: string, name: string, text: string): Expected {
  return whenPresent(requirement, name, { 'one of': [text, { not: { is: 'text' } }] });
}

/** That its value is this number, as a number or as a text: which of them is a requirement of its own. */
export function numberOf(requirement: string, name: string, number: number): Expected {
  return whenPresent(requirement, name, { 'one of': [number, String(number)] });
}

export const succeeds = { between: [200, 299] } satisfies Matcher;
export const notThere = { not: succeeds } satisfies Matcher;

/** The text as a part of a regular expression. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
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
    ...shown.map((name) => {
      const value = attributes[name];
      const matcher = typeof value === 'string' ? { 'same as': value } : { equals: value as number };
      return whenPresent(requirement, name, matcher);
    }),
  ];
}

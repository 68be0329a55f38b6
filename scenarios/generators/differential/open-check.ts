import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Matcher, MatcherObject } from '../../engine/grammar/grammar-matcher.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import type { Pair } from './parted.ts';

/** Parts of which the values differ from run to run. */
const ownValues: ReadonlySet<string> = new Set([
  ...['ri', 'pi', 'rn', 'aei', 'cr', 'ct', 'lt', 'et', 'ch'].map((name) => `attribute ${name}`),
  'header x-m2m-ri',
  'header content-location',
  'found',
]);

/** That a part is as A has it; undefined where it holds what is A's own, or cannot be said. */
export function checkOf(part: string, { A, B }: Pair): Check | undefined {
  const { view } = A.came;
  if (ownValues.has(part) || view.status === undefined || B.came.view.status === undefined) return undefined;
  if (part.startsWith('attribute ')) return attributeCheck(part.slice('attribute '.length), view);
  if (part.startsWith('header ')) return headerCheck(part.slice('header '.length), view);
  return wholeCheck(part, view);
}

function wholeCheck(part: string, { status, rsc, root, attributes }: AnswerView): Check | undefined {
  if (part === 'status' && status !== undefined) return { status };
  if (part === 'RSC' && rsc !== undefined) return { rsc };
  if (part === 'root' && root !== undefined) return { root };
  return part === 'body' && attributes !== undefined ? { body: { is: 'object' } } : undefined;
}

function attributeCheck(name: string, { attributes }: AnswerView): Check {
  const value = attributes?.[name] as MatcherObject['equals'];
  const matcher: Matcher = value === undefined ? { is: 'absent' } : { equals: value };
  return { attributes: { [name]: matcher } };
}

function headerCheck(name: string, { headers }: AnswerView): Check {
  return { header: { [name]: headers.get(name) ?? { is: 'absent' } } };
}

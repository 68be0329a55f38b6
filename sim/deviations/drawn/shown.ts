/** What answers show, as values. */

import type { ResponsePrimitive } from '../../core/primitive.ts';
import { jsonOf } from '../../core/representation.ts';
import { type Attributes, isObject } from '../vocabulary/messages.ts';

export function isSuccess({ status }: ResponsePrimitive): boolean {
  return status.code >= 2000 && status.code < 3000;
}

/** The content of an answer as a JSON value. */
export const contentOf = ({ content }: ResponsePrimitive): unknown => jsonOf(content);

/** The one resource that an answer shows with its identifier; undefined where it shows none, or other things. */
export function resourceIn(
  answer: ResponsePrimitive,
): { readonly root: string; readonly shown: Attributes } | undefined {
  const content = isSuccess(answer) ? contentOf(answer) : undefined;
  const [[root, shown] = [], ...more] = isObject(content) ? Object.entries(content) : [];
  return root !== undefined && isObject(shown) && typeof shown.ri === 'string' && more.length === 0
    ? { root, shown }
    : undefined;
}

/** What answers show, as values that can be changed. */
import type { Answer, ResponsePrimitive } from '../core/primitive.ts';
import { JsonText } from '../core/representation.ts';

export type Attributes = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSuccess({ status }: ResponsePrimitive): boolean {
  return status.code >= 2000 && status.code < 3000;
}

/** The answer, changed as soon as it is there. */
export function changed(answer: Answer, change: (answer: ResponsePrimitive) => Answer): Answer {
  return answer instanceof Promise ? answer.then(change) : change(answer);
}

/** The content of an answer as a JSON value. */
export function contentOf({ content }: ResponsePrimitive): unknown {
  return content instanceof JsonText ? content.toJSON() : content;
}

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

/** The answer with other attributes of the resource that it shows. */
export function showing(answer: ResponsePrimitive, change: (shown: Attributes) => Attributes): ResponsePrimitive {
  const found = resourceIn(answer);
  return found === undefined ? answer : { ...answer, content: { [found.root]: change(found.shown) } };
}

/** The answer with other lists: of addresses that were found, of references, and of children below a resource. */
export function listing(
  answer: ResponsePrimitive,
  change: (list: readonly unknown[]) => readonly unknown[],
): ResponsePrimitive {
  const content = isSuccess(answer) ? contentOf(answer) : undefined;
  return content === undefined ? answer : { ...answer, content: inLists(content, '') };

  function inLists(value: unknown, key: string): unknown {
    if (Array.isArray(value)) return isListOfResources(key) ? change(value) : value;
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inLists(inner, name)]));
  }
}

/** Lists of attributes have no namespace. */
function isListOfResources(key: string): boolean {
  return key === 'ch' || key === 'rrf' || key.includes(':');
}

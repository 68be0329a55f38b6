/** Strict JSON of request bodies: UTF-8, no duplicate keys, limited nesting, no lone surrogates. */

export interface JsonProblem {
  /** One sentence that says what is wrong. */
  readonly problem: string;
}

/** Levels of nested objects and lists. */
export const deepestNesting = 64;

export function readJson(text: string): { readonly value: unknown } | JsonProblem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `The body is not JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
  const counted = countKeys(value);
  if (Number.isNaN(counted)) return { problem: `The body is nested deeper than ${deepestNesting} levels.` };
  // JSON.parse keeps the last of two equal keys, which leaves fewer keys than colons.
  if (counted !== colonsOutsideTexts(text)) return { problem: 'The body has an object with the same key twice.' };
  if (text.includes('\\') && hasLoneSurrogate(text)) {
    return { problem: 'The body has an escape for half of a surrogate pair.' };
  }
  return { value };
}

function hasLoneSurrogate(text: string): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false;
  let found = false;
  JSON.parse(text, (key: string, value: unknown) => {
    found ||= !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
    return value;
  });
  return found;
}

/** Keys of all objects in the value; NaN when it is nested too deep, which also bounds the recursion. */
function countKeys(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= deepestNesting) return Number.NaN;
  const isList = Array.isArray(value);
  let keys = 0;
  for (const key in value) keys += (isList ? 0 : 1) + countKeys((value as Record<string, unknown>)[key], depth + 1);
  return keys;
}

function colonsOutsideTexts(text: string): number {
  let colons = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) inText = !inText;
    else if (inText && unit === 0x5c) index++;
    else if (!inText && unit === 0x3a) colons++;
  }
  return colons;
}

/** Queries for JSON content (TS-0001, annex J.2): `$.room.'air.temp'[0] GT 21 AND $.unit EQ "C"`. */

/** The query is malformed; the message says where. */
export class ContentQueryError extends Error {
  override readonly name = 'ContentQueryError';
}

/** The right side of a clause. */
type Literal = string | number | boolean | null;
type Comparison = (value: unknown, literal: Literal) => boolean;
type Predicate = (document: unknown) => boolean;

const ordered =
  (holds: (difference: number) => boolean): Comparison =>
  (value, literal) =>
    typeof value === 'number' && typeof literal === 'number' && holds(value - literal);

const comparisons = new Map<string, Comparison>([
  ['EQ', (value, literal) => value === literal],
  ['NE', (value, literal) => value !== literal],
  ['GT', ordered((difference) => difference > 0)],
  ['LT', ordered((difference) => difference < 0)],
  ['GE', ordered((difference) => difference >= 0)],
  ['LE', ordered((difference) => difference <= 0)],
  ['MATCH', (value, literal) => typeof value === 'string' && typeof literal === 'string' && value.includes(literal)],
]);

/** A run without spaces, except in quotes. */
const word = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/y;
/** `.name`, `."name"`, `.'name'` or `[3]`. */
const step = /\.(?:"([^"]+)"|'([^']+)'|([^.[\]"']+))|\[(\d{1,9})\]/y;

/** A test for parsed JSON content. AND binds more tightly than OR, which the annex leaves open. */
export function readContentQuery(query: string): Predicate {
  const words = wordsOf(query);
  const alternatives: Predicate[][] = [[]];
  for (let at = 0; at < words.length; at += 4) {
    alternatives.at(-1)?.push(clause(words[at], words[at + 1], words[at + 2]));
    const operator = words[at + 3];
    if (operator === undefined) break;
    if (operator !== 'AND' && operator !== 'OR') throw new ContentQueryError(`AND or OR is expected, not ${operator}`);
    if (operator === 'OR') alternatives.push([]);
    if (at + 4 >= words.length) throw new ContentQueryError(`nothing follows ${operator}`);
  }
  return (document) => alternatives.some((clauses) => clauses.every((holds) => holds(document)));
}

function wordsOf(query: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < query.length; ) {
    if (/\s/.test(query.charAt(at))) {
      at++;
      continue;
    }
    word.lastIndex = at;
    const [found] = word.exec(query) ?? [];
    if (found === undefined) throw new ContentQueryError(`a quotation mark is not closed: ${query.slice(at)}`);
    words.push(found);
    at += found.length;
  }
  if (words.length === 0) throw new ContentQueryError('the query is empty');
  return words;
}

function clause(path = '', keyword = '', literal = ''): Predicate {
  const steps = stepsOf(path);
  const compare = comparisons.get(keyword);
  if (compare === undefined) {
    const known = [...comparisons.keys()].join(', ');
    throw new ContentQueryError(`one of ${known} must follow ${path}`);
  }
  const expected = literalOf(literal);
  return (document) => {
    const value = valueAt(document, steps);
    return value !== undefined && compare(value, expected);
  };
}

/** Names of members and positions in lists. */
function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  let at = path.startsWith('$') ? 1 : -1;
  while (at >= 0 && at < path.length) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (found === null) at = -1;
    else {
      const [all, quoted, single, plain, position] = found;
      steps.push(position === undefined ? ((quoted ?? single ?? plain) as string) : Number(position));
      at += all.length;
    }
  }
  if (at < 0) throw new ContentQueryError(`a path such as $.name[0] is expected, not ${path || 'the end'}`);
  return steps;
}

function literalOf(text: string): Literal {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object') return value as Literal;
  } catch {}
  throw new ContentQueryError(`a number or a text in quotation marks is expected, not ${text || 'the end'}`);
}

/** Undefined where the path leads nowhere. */
function valueAt(document: unknown, steps: readonly (string | number)[]): unknown {
  let value = document;
  for (const next of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) !== (typeof next === 'number') || !Object.hasOwn(value, next)) return undefined;
    value = (value as Record<string | number, unknown>)[next];
  }
  return value;
}

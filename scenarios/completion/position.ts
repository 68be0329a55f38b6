/** Where somebody writes in a scenario file, which is seldom right just then: by indents, and by braces of the line itself. */

/** A mapping or a list that the place stands in, from the whole file inwards. */
export interface Nesting {
  readonly indent: number;
  readonly isList: boolean;
  /** Keys of a mapping with what stands behind them in their line; without the one that is being written. */
  readonly entries: Map<string, string>;
  /** The key whose value the place stands in; empty for one that is being written, and in a list. */
  key: string;
}

export interface CursorPosition {
  readonly levels: readonly Nesting[];
  /** What of the word stands there already. */
  readonly word: string;
}

const keyAndRest = /^("[^"]*"|[^\s#{}[\],"'][^#{}[\],"']*?)\s*:(?:\s+(.*)|)$/s;

/** `at`: characters before the place. */
export function positionAt(text: string, at: number): CursorPosition {
  const lines = text.slice(0, at).split('\n');
  const last = lines.pop() ?? '';
  const levels: Nesting[] = [];
  for (const line of lines) if (/^\s*[^\s#]/.test(line)) enter(levels, line);
  const [indent, rest] = itemsIn(levels, last);
  const [, key, value = ''] = keyAndRest.exec(rest) ?? [];
  if (key !== undefined) {
    take(levels, indent, key, '');
    return flowIn(levels, value);
  }
  if (/^[{[]/.test(rest)) return flowIn(levels, rest);
  leave(levels, indent);
  return { levels: withKeysBelow(levels, indent, text.slice(at)), word: rest };
}

function enter(levels: Nesting[], line: string): void {
  const [indent, rest] = itemsIn(levels, line);
  const [, key, value = ''] = keyAndRest.exec(rest) ?? [];
  if (key !== undefined) take(levels, indent, key, value);
}

/** Steps over what makes items of lists; where what they hold begins, and that. */
function itemsIn(levels: Nesting[], line: string): readonly [indent: number, rest: string] {
  let [indent, rest] = [line.length - line.trimStart().length, line.trimStart()];
  for (let item = /^-(\s+|$)/.exec(rest); item !== null; item = /^-(\s+|$)/.exec(rest)) {
    const at = indent;
    while (levels.some((one) => one.indent > at)) levels.pop();
    if (levels.at(-1)?.isList !== true || levels.at(-1)?.indent !== at) levels.push(levelAt(at, true));
    indent += Math.max(2, item[0].length);
    rest = rest.slice(item[0].length);
  }
  return [indent, rest];
}

const levelAt = (indent: number, isList = false): Nesting => ({ indent, isList, entries: new Map(), key: '' });

/** What does not reach so far inwards goes on no more; a list that is no deeper than a key beside it has ended. */
function leave(levels: Nesting[], indent: number): void {
  for (let last = levels.at(-1); last !== undefined; last = levels.at(-1)) {
    if (last.indent < indent || (last.indent === indent && !last.isList)) break;
    levels.pop();
  }
  const last = levels.at(-1);
  if (last?.indent === indent) last.key = '';
  else levels.push(levelAt(indent));
}

function take(levels: Nesting[], indent: number, key: string, value: string): void {
  leave(levels, indent);
  const last = levels.at(-1);
  if (last === undefined) return;
  last.key = key;
  last.entries.set(key, value);
}

/** With those that the mapping has further below. */
function withKeysBelow(levels: Nesting[], indent: number, after: string): Nesting[] {
  for (const line of after.split('\n').slice(1)) {
    const begins = line.search(/\S/);
    if (begins >= 0 && (begins < indent || /^\s*-/.test(line.slice(0, indent + 1)))) break;
    const [, key] = (begins === indent && keyAndRest.exec(line.trim())) || [];
    if (key !== undefined) levels.at(-1)?.entries.set(key, '');
  }
  return levels;
}

const flowToken = /"(?:[^"\\]|\\.)*"?|'[^']*'?|\$\{[^}]*\}?|:(?=\s|$)|./gs;

/** `{ status: { one of: [20` and the like, in one line. */
function flowIn(levels: Nesting[], text: string): CursorPosition {
  let word = '';
  for (const [token] of text.matchAll(flowToken)) {
    const last = levels.at(-1);
    if (token === '{' || token === '[') levels.push(levelAt(Number.POSITIVE_INFINITY, token === '['));
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ':' && last?.isList === false) last.key = word.trim();
    else if (token === ',' && last !== undefined && !last.isList) {
      last.entries.set(last.key, word.trim());
      last.key = '';
    } else if (token !== ',') {
      word += token;
      continue;
    }
    word = '';
  }
  return { levels, word: word.trimStart() };
}

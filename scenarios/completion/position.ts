/** The position of the cursor in a possibly invalid scenario file: by indents, and by braces within its line. */

/** A mapping or list around the cursor, from the outermost inwards. */
export interface Nesting {
  readonly indent: number;
  readonly isList: boolean;
  /** Keys of a mapping with the rest of their lines, without the one being written. */
  readonly entries: Map<string, string>;
  /** The key whose value contains the cursor; empty while it is being written, and in a list. */
  key: string;
}

export interface CursorPosition {
  readonly levels: readonly Nesting[];
  /** The beginning of the word at the cursor. */
  readonly word: string;
}

const keyAndRest = /^("[^"]*"|[^\s#{}[\],"'][^#{}[\],"']*?)\s*:(?:\s+(.*)|)$/s;

/** `at`: offset of the cursor. */
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

/** Skips list markers; returns the indent of the content, and the content. */
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

/** Ends deeper levels; a list ends at a key with its own indent. */
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

/** Within a flow collection, such as `{ status: { one of: [20`. */
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

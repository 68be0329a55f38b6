/** Longer bodies are shown as they came: nobody reads them by indentation. */
const longestIndented = 200_000;
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * A JSON body with line breaks and indentation, anything else unchanged.
 * Only white space is touched: numbers keep their digits and doubled keys stay, since both can be what a check is about.
 */
export function prettyBody(body: string): string {
  return isJsonStructure(body) ? indent(body.match(token) ?? []) : body;
}

function isJsonStructure(body: string): boolean {
  if (body.length > longestIndented || !/^\s*[{[]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

function indent(tokens: readonly string[]): string {
  let text = '';
  let depth = 0;
  for (const [index, part] of tokens.entries()) {
    const opens = part === '{' || part === '[';
    const next = tokens[index + 1];
    const closesNext = next === '}' || next === ']';
    if (opens) depth += 1;
    if (closesNext) depth -= 1;
    text += part === ':' ? ': ' : part;
    // What opens and closes at once is empty and stays on its line.
    if (part === ',' || opens !== closesNext) text += `\n${'  '.repeat(depth)}`;
  }
  return text;
}

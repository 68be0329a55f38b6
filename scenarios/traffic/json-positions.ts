/** Positions in a JSON text, and of its first error. */
import { type JSONPath, type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';

/** Line and column count from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface JsonError extends Position {
  readonly says: string;
}

const mostLevels = 1_000;

/** The first syntax error; undefined if the text is JSON. */
export function jsonErrorIn(text: string): JsonError | undefined {
  return walk(text, () => undefined);
}

/** Positions of the elements of the list at this path, such as `['log', 'entries']`, up to the first error. */
export function elementsIn(text: string, list: JSONPath): Position[] {
  const positions: Position[] = [];
  walk(text, (position, level, pathOf) => {
    if (level === list.length + 1 && list.every((name, index) => pathOf()[index] === name)) positions.push(position);
  });
  return positions;
}

/** Visits each value with its depth, up to the first error, which it returns. */
function walk(text: string, found: (position: Position, level: number, pathOf: () => JSONPath) => void) {
  let level = 0;
  const value = (line: number, character: number, pathOf: () => JSONPath) =>
    found({ line: line + 1, column: character + 1 }, level, pathOf);
  const begin = (_offset: number, _length: number, line: number, character: number, pathOf: () => JSONPath) => {
    value(line, character, pathOf);
    level += 1;
    if (level > mostLevels) throw new NotJson(line, character, `more than ${mostLevels} levels`);
  };
  const end = () => {
    level -= 1;
  };
  const visitor: JSONVisitor = {
    ...{ onObjectBegin: begin, onArrayBegin: begin, onObjectEnd: end, onArrayEnd: end },
    onLiteralValue: (_value, _offset, _length, line, character, pathOf) => value(line, character, pathOf),
    onError(code, offset, length, line, character) {
      const name = printParseErrorCode(code);
      const isCut = length === 0 || (name === 'UnexpectedEndOfString' && offset + length === text.length);
      throw new NotJson(line, character, isCut ? 'it ends in the middle' : inWords(name));
    },
  };
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    if (error instanceof NotJson) return error.details;
    throw error;
  }
  return undefined;
}

/** `ValueExpected`: value expected. */
const inWords = (name: string): string => name.replace(/\B[A-Z]/g, ' $&').toLowerCase();

class NotJson extends Error {
  readonly details: JsonError;

  constructor(line: number, character: number, says: string) {
    super(says);
    this.details = { line: line + 1, column: character + 1, says };
  }
}

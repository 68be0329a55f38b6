/**
 * JSON with the position of every value (RFC 8259). JSON.parse has positions of errors only sometimes, and of values never;
 * a YAML parser has positions, but accepts more than JSON.
 */
import { type Node, type ParseErrorCode, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { type Findings, quoted, type Range } from './problem.ts';

/** Levels of objects and lists in one another; it bounds the recursion. */
const deepestNesting = 64;

const strict = { disallowComments: true };

/** Reports the first syntax error, and returns undefined then; duplicate keys are reported, too. */
export function parseJson(text: string, findings: Findings): Node | undefined {
  try {
    check(text, findings);
    return parseTree(text, [], strict);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    findings.error(error.range, error.message);
    return undefined;
  }
}

type JsonText = Node & { readonly value: string };

/** The keys of an object, with their values. */
export function membersOf({ children = [] }: Node): { readonly key: JsonText; readonly value: Node }[] {
  return children.flatMap(({ children: [key, value] = [] }) => (key && value ? [{ key: key as JsonText, value }] : []));
}

export const memberOf = (object: Node, key: string): Node | undefined =>
  membersOf(object).find((member) => member.key.value === key)?.value;

/** The key of a value; undefined for elements of lists, and for the whole. */
export const keyOf = ({ parent }: Node): JsonText | undefined =>
  parent?.type === 'property' ? (parent.children?.[0] as JsonText) : undefined;

/** The position of a value as a whole: its key, or else its first character. */
export const introductionOf = (node: Node): Range => keyOf(node) ?? { offset: node.offset, length: 1 };

class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly range: Range;

  constructor(range: Range, message: string) {
    super(message);
    this.range = range;
  }
}

function check(text: string, findings: Findings): void {
  /** The keys so far of each open object or list. */
  const open: Set<string>[] = [];
  const begin = (offset: number, length: number) => {
    if (open.push(new Set()) <= deepestNesting) return;
    throw new JsonError({ offset, length }, `objects and lists are nested deeper than ${deepestNesting} levels`);
  };
  const end = () => void open.pop();
  visit(
    text,
    {
      ...{ onObjectBegin: begin, onArrayBegin: begin, onObjectEnd: end, onArrayEnd: end, onLiteralValue: wellFormed },
      onObjectProperty(key, offset, length) {
        wellFormed(key, offset, length);
        const keys = open.at(-1);
        if (keys?.has(key)) {
          findings.error({ offset, length }, `the key ${quoted(key)} stands twice in the same object`);
        }
        keys?.add(key);
      },
      onError(code, offset, length) {
        throw syntaxError(text, code, { offset, length });
      },
    },
    strict,
  );
}

function wellFormed(value: unknown, offset: number, length: number): void {
  if (typeof value !== 'string' || value.isWellFormed()) return;
  throw new JsonError({ offset, length }, 'this string has half of a surrogate pair');
}

type JsonDefect = ReturnType<typeof printParseErrorCode>;

const expected: Readonly<Partial<Record<JsonDefect, string>>> = {
  PropertyNameExpected: 'a key in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon after the key',
  CommaExpected: 'a comma or the closing bracket',
  CloseBraceExpected: 'a comma or "}"',
  CloseBracketExpected: 'a comma or "]"',
  EndOfFileExpected: 'the end of the file',
};
const messages: Readonly<Partial<Record<JsonDefect, string>>> = {
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfNumber: 'this number has no end',
  UnexpectedEndOfString: 'this string has no closing quote',
};
const inString: readonly JsonDefect[] = ['InvalidUnicode', 'InvalidEscapeCharacter', 'InvalidCharacter'];

function syntaxError(text: string, code: ParseErrorCode, { offset, length }: Range): JsonError {
  const defect = printParseErrorCode(code);
  const found = text.slice(offset, offset + length);
  if (inString.includes(defect)) return brokenString(found, offset);
  const what = expected[defect];
  const before = text.slice(0, offset).trimEnd();
  if (found === '') {
    return new JsonError({ offset: before.length, length }, `the file ends where ${what} is expected`);
  }
  const message = what ? `expected ${what}` : (messages[defect] ?? 'JSON has nothing of this form');
  const hint = before.endsWith(',') && /[\]}]/.test(found) ? `; no comma may stand before "${found}"` : hintFor(found);
  return new JsonError({ offset, length }, message + hint);
}

/** A string up to its first invalid character. */
const validPrefix = /^"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/u;

function brokenString(found: string, offset: number): JsonError {
  const at = validPrefix.exec(found)?.[0].length ?? 0;
  return found[at] === '\\'
    ? new JsonError({ offset: offset + at, length: 2 }, 'JSON has no such escape')
    : new JsonError({ offset: offset + at, length: 1 }, 'a control character in a string must be written as an escape');
}

/** Frequent mistakes. */
function hintFor(found: string): string {
  if (found.startsWith('\u{feff}')) return '; this is a byte order mark, which JSON does not have';
  if (found.startsWith('#')) return '; JSON has no comments';
  if (/^['`“”]/.test(found)) return '; JSON has double quotes only';
  if (/^(?:true|false|null)$/i.test(found)) return `; it is written ${found.toLowerCase()}`;
  if (found === 'None') return '; it is written null';
  return /^[a-z_$]/i.test(found) ? '; keys and texts stand in double quotes' : '';
}

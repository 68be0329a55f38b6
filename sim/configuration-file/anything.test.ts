import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConfigurationError } from './problem.ts';
import { parseConfiguration } from './read.ts';

/** fast-check's own unit `binary` first writes down every character that there is, which takes a second. */
const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points).toWellFormed());

const names = ['config-gateway.json', 'config-backend.json', 'deployed-config/config-gateway.json'];
const documents = names.map(
  (name) => JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')) as unknown,
);

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function replaced(value: unknown, [head, ...rest]: Path, by: unknown): unknown {
  if (head === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const inner = replaced(copy[head], rest, by);
  if (inner === undefined) delete copy[head];
  else copy[head] = inner;
  return copy;
}

/** Returns, or throws a ConfigurationError with errors; every place is in the text. */
function readsOrExplains(text: string): void {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const problems = () => {
    try {
      return parseConfiguration(text, 'x.json').notes;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      assert(error.problems.length > 0);
      assert(error.problems.every(({ severity }) => severity === 'error'));
      return error.problems;
    }
  };
  let last = 0;
  for (const { line, column, length, sourceLine } of problems()) {
    assert(line >= last, 'sorted by place');
    last = line;
    assert.equal(sourceLine, lines[line - 1]);
    assert(column >= 1 && length >= 1);
    assert(column - 1 + length <= Math.max(1, sourceLine.length + 1));
  }
}

const tricky = fc.constantFrom<unknown>(
  ...[
    undefined,
    null,
    '',
    '/',
    '//a/b',
    '~',
    0,
    -1,
    1e300,
    true,
    [],
    {},
    [[]],
    [{}],
    [null],
    '\u{0}',
    'http://',
    'https://x',
  ],
);
const anything = fc.oneof(tricky, fc.jsonValue({ maxDepth: 3 }));

test('whatever value stands at whatever place, the file is read or its errors are shown in the file', () => {
  const changedDocument = fc
    .constantFrom(...documents)
    .chain((document) =>
      fc.tuple(fc.constantFrom(...pathsOf(document)), anything).map(([path, value]) => replaced(document, path, value)),
    );
  fc.assert(
    fc.property(changedDocument, fc.constantFrom(undefined, 2, '\t'), (document, space) => {
      readsOrExplains(JSON.stringify(document, null, space) ?? '');
    }),
    { numRuns: 600 },
  );
});

test('whatever key stands at whatever place, the file is read or its errors are shown in the file', () => {
  const texts = documents.map((document) => JSON.stringify(document, null, 2));
  const renamed = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.string({ unit: 'grapheme' }))
    .map(([text, at, key]) => {
      const keys = [...text.matchAll(/"[^"]*"(?=:)/g)];
      const chosen = keys[at % keys.length];
      const start = chosen?.index ?? 0;
      return text.slice(0, start) + JSON.stringify(key) + text.slice(start + (chosen?.[0].length ?? 0));
    });
  fc.assert(fc.property(renamed, readsOrExplains));
});

test('whatever is cut out of the text, the file is read or its errors are shown in the file', () => {
  const texts = documents.map((document) => JSON.stringify(document, null, 2).replaceAll('\n', '\r\n'));
  const cut = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.nat({ max: 40 }), fc.string())
    .map(([text, at, length, inserted]) => {
      const place = at % text.length;
      return text.slice(0, place) + inserted + text.slice(place + length);
    });
  fc.assert(fc.property(fc.oneof(cut, anyText), readsOrExplains), { numRuns: 200 });
});

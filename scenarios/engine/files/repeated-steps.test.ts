import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tables, valuesOf } from '../basics/corpus.ts';
import { namesIn } from '../grammar/names.ts';
import { loadScenarios } from './load.ts';

const room = mkdtempSync(join(tmpdir(), 'cselab-repeated-'));
after(() => rmSync(room, { recursive: true }));

test('steps below "each" are loaded for each value, with the value where its name stands', () => {
  const steps = `      - each: { text: [a b, 7] }
        steps:
          - create: ae
            in: /\${base}
            attributes: { rn: "n\${text.at}", api: "\${text}", lbl: ["x\${text}", "\${name}"] }
            capture: { made: ri }
          - retrieve: /\${base}/\${text.encoded}
            check: { ae.retrieve.status: { status: 200 } }
      - each: { number: { from: 2, to: 3 } }
        steps: [{ retrieve: "/\${made}/\${number}" }]
`;
  const path = join(room, 'each.yaml');
  writeFileSync(path, `feature: f\nscenarios:\n  one:\n    title: t\n    steps:\n${steps}`);
  const [one] = loadScenarios([path]).scenarios;
  assert.deepEqual(
    one?.steps.map(({ step, place }) => [
      'create' in step ? step.attributes : 'retrieve' in step ? step.retrieve : undefined,
      place.line,
    ]),
    [
      [{ rn: 'n1', api: 'a b', lbl: ['xa b', '${name}'] }, 8],
      ['/${base}/a%20b', 12],
      [{ rn: 'n2', api: 7, lbl: ['x7', '${name}'] }, 8],
      ['/${base}/7', 12],
      ['/${made}/2', 15],
      ['/${made}/3', 15],
    ],
  );
});

test('the corpus holds no names, and no value twice', () => {
  for (const table of tables) {
    const values = valuesOf(table);
    assert.deepEqual(
      values.flatMap((value) => namesIn(String(value))),
      [],
      table,
    );
    assert.equal(new Set(values).size, values.length, table);
  }
});

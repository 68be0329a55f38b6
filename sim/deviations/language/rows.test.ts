import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createCse } from '../../cse/create-cse.ts';
import { readYamlFile } from '../../seeding/yaml-file.ts';
import { bytesOf } from '../vocabulary/messages.ts';
import { arrivalOf, exchangeOf, partNames } from './exchange.ts';
import { readRows } from './read-rows.ts';
import { deviationOf } from './row.ts';
import { writtenRows } from './row-files.ts';
import { type DeviationRow, rowsSchema, rowsSchemaPath, rowsSchemaText } from './schema.ts';

const folder = new URL('../rows/', import.meta.url);

describe('rows of deviations', () => {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.yaml'))) {
    it(`${name} holds what the schema knows`, async () => {
      const { value } = await readYamlFile(fileURLToPath(new URL(name, folder)), rowsSchema, Error);
      assert.ok(value.length > 0);
    });
  }

  it('have a JSON schema that is written', () => {
    assert.equal(readFileSync(rowsSchemaPath, 'utf8'), rowsSchemaText());
  });

  it('hold what the schema knows once each entry of `each` is in its row', () => {
    assert.doesNotThrow(() => rowsSchema.parse(writtenRows()));
  });

  it('that are no YAML are told by their file', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'cselab-rows-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, '- { id: a.b, says: It does. }\n- { id: a.c\n');
    const message = /\/mine\.yaml: .* at line 3, column 1/;
    assert.throws(() => readRows(pathToFileURL(file)), { name: 'RowFileError', message });
  });

  it('have an id each', () => {
    const ids = writtenRows().map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
    assert.deepEqual(
      ids.filter((id) => id.includes('<')),
      [],
    );
  });

  it('a misspelt operator, function, test or part is none', () => {
    const row = { id: 'a.b', says: 'It does.', when: { retrieve: 'any' }, does: { drop: 'ri' } };
    const wrong = [
      { ...row, does: { dropp: 'ri' } },
      { ...row, does: { return: { ri: { uper: true } } } },
      { ...row, when: { retrieve: 'any', 'requested.mid': { cout: 1 } } },
      { ...row, when: { retrive: 'any' } },
    ];
    assert.ok(rowsSchema.safeParse([row]).success);
    assert.deepEqual(
      wrong.map((one) => rowsSchema.safeParse([one]).success),
      [false, false, false, false],
    );
  });

  it('name every part that there is', () => {
    const { core } = createCse();
    const request = { method: 'GET', target: '/onem2m', headers: {}, body: bytesOf('') };
    const arrival = arrivalOf(request, core, (one) => core && { status: 200, headers: {}, body: one.method });
    const { scope } = exchangeOf(arrival, { status: 200, headers: {}, body: '' });
    const absent = partNames.filter((part) => scope.find(part) === undefined);
    assert.deepEqual(absent, ['remembered', 'nth', 'let', 'removed', 'one', 'first', 'last', 'entry']);
  });
});

/** What a CSE with the row answers to a GET of its base. */
async function base(row: Partial<DeviationRow>): Promise<Record<string, unknown>> {
  await using cse = createCse({ requireAuth: false });
  const wrapped = deviationOf({ id: 'a.b', says: 'It does.', ...row }).wrap?.(cse.http, cse.core);
  const answer = await wrapped?.handle({ method: 'GET', target: '/onem2m', headers: {}, body: bytesOf('') });
  return { ...JSON.parse(String(answer?.body || '{}'))['m2m:cb'], status: answer?.status };
}

describe('a row', () => {
  it('changes matching exchanges, and nothing else', async () => {
    const does = { return: { rn: { upper: true } }, drop: 'ct' };
    assert.deepEqual(
      [
        (await base({ when: { retrieve: 'm2m:cb' }, does })).rn,
        (await base({ when: { retrieve: 'm2m:ae' }, does })).rn,
      ],
      ['ONEM2M', 'onem2m'],
    );
    assert.equal((await base({ when: { retrieve: 'm2m:cb' }, does })).ct, undefined);
  });

  it('counts which one it is', async () => {
    await using cse = createCse();
    const wrapped = deviationOf({ id: 'a.b', says: 'It does.', nth: { every: 2 }, does: { refuse: 5000 } }).wrap?.(
      cse.http,
      cse.core,
    );
    const statuses: unknown[] = [];
    for (const target of ['/onem2m', '/onem2m', '/onem2m', '/onem2m'])
      statuses.push((await wrapped?.handle({ method: 'GET', target, headers: {}, body: bytesOf('') }))?.status);
    assert.deepEqual(statuses, [200, 500, 200, 500]);
  });

  it('looks at answers where it speaks of them', async () => {
    assert.equal((await base({ when: { rsc: 2000 }, does: { rsc: 4004 } })).status, 404);
    assert.equal((await base({ when: { rsc: 4004 }, does: { rsc: 2000 } })).status, 200);
  });
});

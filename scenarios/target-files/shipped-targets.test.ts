import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { prepareUrl } from '../engine/targets/url-choice.ts';
import { featureIds, isOptional } from '../ics/features.ts';
import { knownRisks } from '../safety/known-risks.ts';
import { readTargetFile, shippedProducts, targetFilePath } from './read-target-file.ts';

test('a target file is shipped for each CSE that is known', () => {
  assert.deepEqual(shippedProducts(), ['acme', 'mobius', 'om2m', 'openmtc', 'tinyiot']);
});

for (const product of shippedProducts()) {
  test(`the target file of ${product} is one that can be used`, async () => {
    const path = targetFilePath(product);
    const [first] = readFileSync(path, 'utf8').split('\n');
    assert.equal(first, '# yaml-language-server: $schema=../../scenarios/target.schema.json');
    const { choice, secrets } = readTargetFile(path, {});
    assert.deepEqual([choice.url, secrets], [undefined, []], 'where it runs, and its secrets, are for its user to say');
    const { description } = await prepareUrl({ ...choice, url: 'http://127.0.0.1:8000' });
    assert.equal(description.product, choice.product);
    assert.equal(description.base, choice.base);
  });
}

const speechOf = (product: string) => {
  const { dialect, release, base, admin, accessControl, lifetime } = readTargetFile(targetFilePath(product), {}).choice;
  return { dialect, release, base, admin, accessControl, lifetime };
};

test('the shipped files say how each of them is spoken to', () => {
  const onem2m = { dialect: 'onem2m', lifetime: undefined };
  assert.deepEqual(speechOf('acme'), { ...onem2m, release: '4', base: 'cse-in', admin: 'CAdmin', accessControl: true });
  assert.deepEqual(speechOf('mobius'), {
    ...onem2m,
    release: '2a',
    base: 'Mobius',
    admin: 'Sponde',
    accessControl: false,
  });
  assert.equal(speechOf('tinyiot').lifetime, 'none');
  assert.deepEqual([speechOf('openmtc').dialect, speechOf('openmtc').base], ['documented', 'onem2m']);
});

test('what would end a server is not asked of it', () => {
  const { choice, jobs } = readTargetFile(targetFilePath('tinyiot'), {});
  assert.deepEqual([choice.connections, jobs], [1, 1]);
  assert.equal(readTargetFile(targetFilePath('mobius'), {}).choice.ics?.claims.PICS_NON_BLOCKING, 'no');
});

test('what a shipped file takes out has its reason: what was asked, what came, of which version, and when', () => {
  for (const product of shippedProducts()) {
    const { claims = {}, reasons = {} } = readTargetFile(targetFilePath(product), {}).choice.ics ?? {};
    const denied = featureIds.filter((id) => claims[id] === 'no');
    for (const id of denied) assert.match(reasons[id] ?? '', /20\d\d-\d\d-\d\d\)$/, `${product}: ${id}`);
    assert.deepEqual(
      denied.filter((id) => !isOptional(id, speechOf(product).dialect ?? 'documented')),
      [],
      `${product}: what its dialect documents is judged`,
    );
  }
});

test('what killed or corrupted a product is left out there', () => {
  for (const product of shippedProducts()) {
    const { choice } = readTargetFile(targetFilePath(product), {});
    const own = knownRisks.filter((risk) => risk.product === choice.product).map(({ id }) => id);
    assert.notEqual(choice.risky, 'all');
    assert.deepEqual(
      own.filter((id) => choice.risky?.includes(id)),
      [],
      product,
    );
  }
});

test('a target file is named by its path, or by its product', () => {
  const path = targetFilePath('acme');
  assert.equal(targetFilePath(path), path);
  assert.throws(
    () => targetFilePath('acmee'),
    new UsageError('of the products acme, mobius, om2m, openmtc, tinyiot none is called "acmee"; did you mean "acme"?'),
  );
  assert.throws(() => targetFilePath('./none.yaml'), /there is no target file "\.\/none\.yaml"/);
});

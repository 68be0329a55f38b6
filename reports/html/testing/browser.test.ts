import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { browserMissing, browserRequired, findBrowser, skippedWithoutBrowser } from './browser.ts';

test('the named browser is preferred, then the names in their order', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'cselab-browser-'));
  t.after(() => rm(directory, { recursive: true }));
  const chrome = join(directory, 'google-chrome');
  const chromium = join(directory, 'chromium');
  await writeFile(chrome, '');
  await writeFile(chromium, '');
  await chmod(chrome, 0o755);
  const environment = { PATH: ['/nowhere', directory].join(delimiter) };
  assert.equal(findBrowser(environment), chrome);
  await chmod(chromium, 0o755);
  assert.equal(findBrowser(environment), chromium);
  assert.equal(findBrowser({ ...environment, CHROMIUM_PATH: chrome }), chrome);
});

test('a named browser that is not there is missing, whatever else there is', () => {
  assert.match(browserMissing({ ...process.env, CHROMIUM_PATH: '/nowhere/chromium' }) ?? '', /^no Chromium/);
});

test('a browser is required when the list of requirements names it', () => {
  const required = (CSELAB_REQUIRE: string) => browserRequired({ CSELAB_REQUIRE });
  assert.deepEqual(
    [required('browser'), required('docker, browser'), required('docker'), required('')],
    [true, true, false, false],
  );
});

test('without a browser its tests are skipped with the reason, or fail where it is required', () => {
  const without = { CHROMIUM_PATH: '/nowhere/chromium' };
  assert.match(skippedWithoutBrowser(without) ?? '', /^no Chromium/);
  assert.throws(() => skippedWithoutBrowser({ ...without, CSELAB_REQUIRE: 'browser' }), /^Error: no Chromium/);
  assert.equal(skippedWithoutBrowser({ CHROMIUM_PATH: process.execPath, CSELAB_REQUIRE: 'browser' }), undefined);
});

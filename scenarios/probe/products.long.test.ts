/** What a probe finds out about servers that answer reads as deployed products do. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProbeResult } from './finding.ts';
import { probe } from './probe.ts';
import { productServer } from './testing/products.ts';

function told(result: ProbeResult, ids: readonly string[]): Record<string, string> {
  const found = ids.map((id) => {
    const finding = result.findings.find((one) => one.id === id);
    return [id, finding === undefined ? 'absent' : (finding.value ?? finding.found)];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

// Most of a probe is waiting, so as to be polite.
describe('deployed products', { concurrency: 8 }, () => {
  test('ACME: its version, that its administrator reads, and that it demands all three headers', async (t) => {
    const { url, log } = await productServer(t, 'acme');
    const result = await probe({ url });
    assert.deepEqual(result.target, {
      url,
      dialect: 'onem2m',
      base: 'cse-in',
      cseId: 'id-in',
      spId: 'acme.example.com',
      release: '4',
      product: 'ACME',
      version: '2026.05.1',
      admin: 'CAdmin',
      accessControl: true,
    });
    assert.deepEqual(
      told(result, ['needs originator', 'needs request id', 'needs release', 'keep-alive', 'releases']),
      {
        'needs originator': 'yes',
        'needs request id': 'yes',
        'needs release': 'yes',
        'keep-alive': 'no',
        releases: '2a, 3, 4, 5',
      },
    );
    assert.ok(log.every((line) => line.startsWith('GET ')));
    assert.ok(log.length <= 32, `${log.length} requests`);
  });

  test('tinyIoT: numbers with a fraction, and two bytes more than Content-Length says', async (t) => {
    const { url } = await productServer(t, 'tinyIoT');
    const result = await probe({ url });
    assert.equal(result.target?.product, 'tinyIoT');
    assert.equal(result.target?.base, 'TinyIoT');
    assert.deepEqual(
      told(result, ['integers', 'content length', 'keep-alive', 'needs request id', 'PICS_FCNT', 'PICS_GRP']),
      {
        integers: '5.0, as JSON numbers with a fraction',
        'content length': 'no',
        'keep-alive': 'no',
        'needs request id': 'no',
        PICS_FCNT: 'no',
        PICS_GRP: 'yes',
      },
    );
    assert.match(result.findings.find(({ id }) => id === 'content length')?.evidence ?? '', /2 more bytes came/);
  });

  test('tinyIoT without spi: the SP-ID of its shipped file is tried, and without an answer nothing is said of absolute addresses', async (t) => {
    const { url, log } = await productServer(t, 'tinyIoTWithoutSp');
    const result = await probe({ url });
    assert.equal(result.target?.spId, undefined);
    assert.ok(log.includes('GET /_/tinyiot.example.com/tinyiot/TinyIoT HTTP/1.1'), log.join('\n'));
    const [absolute] = result.findings.filter(({ id }) => id === 'PICS_ABSOLUTE_RESOURCE_ID_FORMAT');
    assert.equal(absolute?.found, 'unknown');
    assert.match(absolute?.evidence ?? '', /its SP-ID is not known/);
  });

  test('Mobius: no shortcut to its base, any release, and connections that are kept', async (t) => {
    const { url } = await productServer(t, 'mobius');
    const result = await probe({ url });
    assert.deepEqual([result.target?.product, result.target?.base, result.target?.release], ['Mobius', 'Mobius', '2a']);
    assert.deepEqual(told(result, ['shortcut', 'unknown release', 'keep-alive', 'PICS_RESULT_CONTENT', 'PICS_PCH']), {
      shortcut: 'no',
      'unknown release': 'no',
      'keep-alive': 'yes',
      PICS_RESULT_CONTENT: 'unknown',
      PICS_PCH: 'no',
    });
  });

  test('OpenMTC: nothing is demanded, errors are empty, and its SP-ID shows in an absolute address', async (t) => {
    const { url } = await productServer(t, 'openMtc');
    const result = await probe({ url });
    assert.deepEqual(
      [result.target?.product, result.target?.dialect, result.target?.spId],
      ['OpenMTC', 'documented', 'openmtc.org'],
    );
    assert.deepEqual(told(result, ['needs originator', 'errors', 'PICS_GRP', 'PICS_ANNC', 'PICS_SUB', 'releases']), {
      'needs originator': 'no',
      errors: 'empty',
      PICS_GRP: 'no',
      PICS_ANNC: 'no',
      PICS_SUB: 'yes',
      releases: 'unknown',
    });
  });
});

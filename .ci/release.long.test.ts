import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { billOf } from './release.ts';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: ReadonlyArray<{
    readonly purl: string;
    readonly hashes: ReadonlyArray<{ readonly alg: string; readonly content: string }>;
    readonly licenses?: readonly object[];
  }>;
}

interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly dev?: true;
}

test('the bill of materials names what the lock has the package bring, with its hash and licence, and nothing else', () => {
  const { bomFormat, metadata, components } = JSON.parse(billOf('.')) as Bill;
  const { version, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    version: string;
    packages: Readonly<Record<string, Locked>>;
  };
  const brought = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const expected = brought.map(([path, locked]) => {
    const [name = ''] = path.split('node_modules/').slice(-1);
    const digest = Buffer.from(locked.integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
    return `pkg:npm/${name.replace('@', '%40')}@${locked.version} ${digest}`;
  });
  const found = components.map(({ purl, hashes }) => `${purl} ${hashes[0]?.content}`);
  assert.deepEqual(found.sort(), expected.sort());
  assert.deepEqual([bomFormat, metadata.component.name, metadata.component.version], ['CycloneDX', 'cselab', version]);
  for (const { purl, licenses = [] } of components) assert.equal(licenses.length, 1, purl);
});

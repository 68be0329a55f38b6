import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { scenariosFolder } from './folders.ts';
import { loadScenarios } from './load.ts';
import { type CacheFolders, cached } from './load-cache.ts';

const room = mkdtempSync(join(tmpdir(), 'cselab-load-cache-'));
after(() => rmSync(room, { recursive: true }));

const needs = new Set(['https']);
const result = { scenarios: [{ needs }, { needs }], catalogue: new Map([['a.b', { says: 'x' }]]) };

/** A cache with one file to read, which counts how often it is read. */
class Example {
  readonly file: string;
  rooms: CacheFolders;
  reads = 0;

  constructor(name: string) {
    const loader = join(room, name);
    mkdirSync(loader);
    this.file = join(loader, 'scenario.yaml');
    this.rooms = { loader, packageFile: join(loader, 'package.json'), folder: join(loader, 'not', 'there') };
    writeFileSync(this.file, 'feature: a');
    writeFileSync(join(loader, 'load.ts'), 'code');
    writeFileSync(this.rooms.packageFile, '{ "version": "1.0.0" }');
  }

  read({ problems = [], requirements = [] }: { problems?: string[]; requirements?: string[] } = {}): void {
    const readFile = () => {
      this.reads += 1;
      return { ...result, problems };
    };
    const read = cached({ files: [this.file], requirements: new Set(requirements) }, readFile, this.rooms);
    assert.deepEqual(read, { ...result, problems });
  }

  /** What follows is as in another process, which knows neither the loader nor what was read. */
  asElsewhere(): this {
    this.rooms = { ...this.rooms };
    return this;
  }

  changeLoader(name: string, text: string): void {
    writeFileSync(join(this.rooms.loader, name), text);
    this.asElsewhere();
  }

  kept(): string[] {
    return readdirSync(this.rooms.folder).map((name) => join(this.rooms.folder, name));
  }
}

test('what was read once is not read again, here or elsewhere, and comes back as it was', () => {
  const example = new Example('again');
  example.read();
  example.read();
  assert.equal(example.reads, 1);
  example.asElsewhere().read();
  assert.equal(example.reads, 1);
});

test('a changed file is read again, and takes the place of what was kept', () => {
  const example = new Example('changed');
  example.read();
  writeFileSync(example.file, 'feature: b');
  example.read();
  assert.equal(example.reads, 2);
  assert.equal(example.kept().length, 1);
  example.asElsewhere().read();
  assert.equal(example.reads, 2);
});

test('other requirements, another loader and another version have the file read again', () => {
  const example = new Example('loader');
  example.read();
  example.read({ requirements: ['a.b'] });
  assert.equal(example.reads, 2);
  example.changeLoader('load.ts', 'other code');
  example.read({ requirements: ['a.b'] });
  assert.equal(example.reads, 3);
  example.changeLoader('package.json', '{ "version": "1.0.1" }');
  example.read({ requirements: ['a.b'] });
  assert.equal(example.reads, 4);
  example.changeLoader('load.test.ts', 'a test reads nothing');
  example.read({ requirements: ['a.b'] });
  assert.equal(example.reads, 4);
});

test('a file with problems is read every time', () => {
  const example = new Example('problems');
  example.read({ problems: ['line 1: wrong'] });
  example.read({ problems: ['line 1: wrong'] });
  assert.equal(example.reads, 2);
});

test('a file that changes while it is read is not kept', () => {
  const example = new Example('meanwhile');
  const readAndChange = () => {
    writeFileSync(example.file, 'feature: b');
    return { problems: [] };
  };
  cached({ files: [example.file] }, readAndChange, example.rooms);
  writeFileSync(example.file, 'feature: a');
  example.read();
  assert.equal(example.reads, 1);
});

test('a broken cache does no harm and is mended', () => {
  const example = new Example('broken');
  example.read();
  const [kept = ''] = example.kept();
  const whole = readFileSync(kept);
  const flipped = Buffer.from(whole);
  flipped[flipped.length - 3] = ~(flipped.at(-3) ?? 0);
  for (const broken of [Buffer.from(''), Buffer.from('nonsense'), whole.subarray(0, 40), flipped]) {
    writeFileSync(kept, broken);
    example.reads = 0;
    example.asElsewhere().read();
    example.asElsewhere().read();
    assert.equal(example.reads, 1);
  }
  rmSync(kept);
  mkdirSync(kept);
  example.read();
});

test('a folder that cannot be written, a loader that cannot be read and a missing file are no errors', () => {
  const example = new Example('read-only');
  writeFileSync(dirname(example.rooms.folder), 'a file where the folder would be');
  example.read();
  example.rooms = { ...example.rooms, loader: join(room, 'nowhere') };
  example.read();
  rmSync(example.file);
  example.read();
  assert.equal(example.reads, 3);
});

test('processes at the same time never see half of what another keeps', async () => {
  const example = new Example('both');
  const work = `
    import { deepEqual } from 'node:assert/strict';
    import { cached } from ${JSON.stringify(new URL('load-cache.ts', import.meta.url).href)};
    const result = { numbers: Array.from({ length: 20_000 }, (_, index) => index * 1.5), problems: [] };
    for (let turn = 0; turn < 60; turn += 1) {
      const requirements = new Set([String(turn % 2)]);
      const read = cached({ files: [${JSON.stringify(example.file)}], requirements }, () => result, ${JSON.stringify(example.rooms)});
      deepEqual(read, result);
    }`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', work];
  await Promise.all([1, 2].map(() => promisify(execFile)(process.execPath, args)));
  assert.equal(example.kept().length, 1);
});

test('all that the loader imports stands where the cache looks for changes', () => {
  const engine = fileURLToPath(new URL('..', import.meta.url));
  const modules = new Set(['files/load.ts']);
  for (const name of modules) {
    const text = readFileSync(join(engine, name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/from '(\.[^']*)'/g)) modules.add(join(dirname(name), imported));
  }
  assert.ok(modules.has('files/issues.ts') && modules.has('grammar/grammar-step.ts'));
  assert.deepEqual(
    [...modules].filter((name) => name.startsWith('..')),
    [],
  );
});

test('what scenario files become can be kept as it is', () => {
  const copies = ['documented/bodies.yaml', 'documented/identifiers.yaml', 'pair/forwarding.yaml'].map((name) => {
    const copy = join(room, basename(name));
    cpSync(join(scenariosFolder, name), copy);
    return copy;
  });
  // Files outside the project are always read.
  const { scenarios } = loadScenarios(copies);
  assert.ok(scenarios.length > 0);
  assert.deepEqual(deserialize(serialize(scenarios)), scenarios);
});

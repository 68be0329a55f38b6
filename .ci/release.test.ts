/** What GitHub is told to do with this repository, and what a release has to be. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { notesOf } from './release.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = '.github/workflows';
const manifest = readFileSync('package.json', 'utf8');
const { scripts, devDependencies } = JSON.parse(manifest) as Record<'scripts' | 'devDependencies', object>;

/** What more than reading each job may do. */
const rights: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'site.yml deploy': { pages: 'write', 'id-token': 'write' },
  'release.yml package': { 'id-token': 'write' },
  'release.yml image': { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
  'release.yml release': { contents: 'write' },
};

/** Whether what a step runs is there: a script of package.json, a tool that is installed, a file, or what each runner has. */
function isThere(command: string): boolean {
  const words = command.split(/\s+/);
  const [program = '', first = '', second = ''] = words;
  if (program === 'npm') return first === 'run' ? Object.hasOwn(scripts, second) : ['ci', 'publish'].includes(first);
  if (program === 'npx') return Object.hasOwn(devDependencies, first);
  if (program === 'gh') return first === 'release';
  const file = words.find((word) => word.includes('/'));
  return ['node', 'bash'].includes(program) && file !== undefined && existsSync(file);
}

for (const file of readdirSync(folder)) {
  const text = readFileSync(join(folder, file), 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;

  describe(file, () => {
    test('runs only what is there, with no text from outside in the command', () => {
      for (const { run, with: inputs = {} } of Object.values(jobs).flatMap(({ steps }) => steps)) {
        for (const line of run?.trim().split('\n') ?? []) {
          assert.ok(isThere(line), line);
          assert.doesNotMatch(line, /\$\{\{/);
        }
        if (typeof inputs.file === 'string') assert.ok(existsSync(inputs.file), inputs.file);
      }
    });

    test('names a version of each action', () => {
      for (const { uses } of Object.values(jobs).flatMap(({ steps }) => steps))
        if (uses !== undefined) assert.match(uses, /^[\w./-]+@(v\d+|[\da-f]{40})$/);
    });

    test('may read, and each job no more than it needs', () => {
      assert.deepEqual(permissions, { contents: 'read' });
      for (const [name, job] of Object.entries(jobs)) {
        assert.deepEqual(job.permissions, rights[`${file} ${name}`], name);
        assert.ok(job['timeout-minutes'] !== undefined, name);
      }
    });

    test('runs nothing of the project or its dependencies in a job that may write or knows a secret', () => {
      for (const { steps, permissions: more } of Object.values(jobs)) {
        if (more === undefined && !JSON.stringify(steps).includes('secrets.')) continue;
        for (const { run = '' } of steps) assert.match(run, /^$|^npm publish .*--ignore-scripts$|^gh release create /m);
      }
    });

    test('takes the registries from the settings of the repository', () => {
      assert.doesNotMatch(text.replaceAll('pages.outputs.page_url', ''), /https?:|\b[a-z-]+\.(?:org|io|com|dev)\b/);
    });
  });
}

test('a release is published and shown only after everything has passed', () => {
  const { jobs } = parse(readFileSync(join(folder, 'release.yml'), 'utf8')) as Workflow;
  assert.ok(jobs.check?.steps.some(({ run }) => run === 'bash .ci/run'));
  const needs = Object.entries(jobs).map(([name, job]) => [name, job.needs]);
  assert.deepEqual(Object.fromEntries(needs), {
    ...{ check: undefined, package: 'check', image: 'check', release: ['package', 'image'] },
  });
  const [publish] = jobs.package?.steps.flatMap(({ run }) => run ?? []) ?? [];
  assert.match(publish ?? '', / --provenance --access public /);
});

describe('the notes of a release', () => {
  const version = (of: string) => JSON.stringify({ version: of });
  const changelog = '# Changelog\n\n## 1.2.0 (2027-01-31)\n\n### Site\n- New.\n\n## 1.1.0 (2026-12-01)\n\n- Old.\n';
  const sound = { tag: 'v1.2.0', manifest: version('1.2.0'), lock: version('1.2.0'), changelog };

  test('are the section of its version', () => {
    assert.equal(notesOf(sound), '### Site\n- New.\n');
    const [first = ''] = changelog.split('\n\n## 1.1');
    assert.equal(notesOf({ ...sound, changelog: first }), '### Site\n- New.\n');
  });

  for (const [what, changed, says] of [
    ['another tag', { tag: 'v1.2.1' }, /tag is v1\.2\.1, but package\.json says 1\.2\.0/],
    ['another lock', { lock: version('1.1.0') }, /package-lock\.json 1\.1\.0: run npm install/],
    ['no date', { changelog: '## 1.2.0 (unreleased)\n\n- New.\n' }, /begins with "## 1\.2\.0 \(unreleased\)"/],
    [
      'an older section first',
      { changelog: changelog.slice(changelog.indexOf('## 1.1')) },
      /"## 1\.1\.0 \(2026-12-01\)"/,
    ],
  ] as const)
    test(`are refused with ${what}`, () => {
      assert.throws(() => notesOf({ ...sound, ...changed }), { message: says });
    });
});

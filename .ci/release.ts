/**
 * `node --import tsx .ci/release.ts v0.1.0 FOLDER`: writes into the folder what a release consists of: the package, its software bill of
 * materials (CycloneDX) and its section of the changelog. Ends with 1 where tag, package.json, package-lock.json and changelog differ.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Versions {
  /** As `v0.1.0`. */
  readonly tag: string;
  readonly manifest: string;
  readonly lock: string;
  readonly changelog: string;
}

/** The changelog's section of this version. Throws an Error that says what differs. */
export function notesOf({ tag, manifest, lock, changelog }: Versions): string {
  const { version } = JSON.parse(manifest) as { version: string };
  const locked = (JSON.parse(lock) as { version: string }).version;
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json says ${version}.`);
  if (locked !== version)
    throw new Error(`package.json says ${version}, but package-lock.json ${locked}: run npm install.`);
  const [, latest = '', text = ''] = /^## (.+)\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? [];
  const [, name, date] = /^(\S+) \((\d{4}-\d\d-\d\d)\)$/.exec(latest) ?? [];
  if (name === version && date !== undefined) return `${text.trim()}\n`;
  throw new Error(`CHANGELOG.md begins with "## ${latest}", not with "## ${version} (YYYY-MM-DD)".`);
}

/**
 * CycloneDX as npm writes it. With development dependencies in the lock file npm leaves out what they share with the package, so they are
 * removed first; no package is loaded for it.
 */
export function billOf(project: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-bill-'));
  try {
    // npm names the package after its folder.
    const cwd = join(folder, 'cselab');
    mkdirSync(cwd);
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Record<string, unknown>;
    const { devDependencies: _dev, peerDependencies: _peer, peerDependenciesMeta: _meta, ...own } = manifest;
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(own));
    copyFileSync(join(project, 'package-lock.json'), join(cwd, 'package-lock.json'));
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' });
    npm('install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund');
    return npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeRelease(tag: string, folder: string): void {
  const [manifest, lock, changelog] = ['package.json', 'package-lock.json', 'CHANGELOG.md'].map((file) =>
    readFileSync(file, 'utf8'),
  ) as [string, string, string];
  const notes = notesOf({ tag, manifest, lock, changelog });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'notes.md'), notes);
  writeFileSync(join(folder, `cselab-${tag.slice(1)}.cdx.json`), billOf('.'));
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', folder], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? '')).href) {
  const [tag, folder] = process.argv.slice(2);
  try {
    if (tag === undefined || folder === undefined)
      throw new Error('usage: node --import tsx .ci/release.ts TAG FOLDER');
    writeRelease(tag, folder);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

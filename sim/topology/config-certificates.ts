/** `ssl_certs`: whether the files are needed, and whether they are there. */
import { relative, resolve } from 'node:path';
import type { Look } from './config-disk.ts';
import { type Placed, quoted, type Section } from './config-section.ts';
import type { TlsFiles } from './tls-files.ts';

export interface CertificatePaths {
  /** What the paths are relative to. */
  readonly folder: string;
  readonly look: Look;
  /** Why the files are needed, as the beginning of a sentence; undefined when they are not. */
  readonly neededBecause: string | undefined;
}

/** Absolute paths; undefined when one is missing or cannot be read, which is an error where the files are needed. */
export function readCertificates(onem2m: Section, paths: CertificatePaths): TlsFiles | undefined {
  const section = onem2m.section('ssl_certs');
  if (section === undefined) {
    if (paths.neededBecause !== undefined && onem2m.node('ssl_certs') === undefined) {
      onem2m.findings.error(onem2m, `"ssl_certs" is missing; ${paths.neededBecause}`);
    }
    return undefined;
  }
  const [key, crt, ca] = [section.text('key'), section.text('crt'), section.text('ca')];
  if (paths.neededBecause !== undefined) section.require('key', 'crt', 'ca');
  section.done(paths.neededBecause);
  const readable = [key, crt, ca].filter((text) => text !== undefined && isReadable(text, section, paths));
  if (key && crt && ca && readable.length === 3) {
    return { key: inFolder(key, paths), crt: inFolder(crt, paths), ca: inFolder(ca, paths) };
  }
  if (paths.neededBecause === undefined) {
    section.findings.note(section, 'these files are not all there, and without HTTPS nobody needs them');
  }
  return undefined;
}

const inFolder = ({ value }: Placed<string>, { folder }: CertificatePaths) => resolve(folder, value);

function isReadable(text: Placed<string>, { findings }: Section, paths: CertificatePaths): boolean {
  const path = inFolder(text, paths);
  const why = paths.look(path);
  if (why !== undefined && paths.neededBecause !== undefined) {
    const lookedFor = relative(process.cwd(), path) || path;
    findings.error(text, `${quoted(text.value)} ${why} (looked for at ${lookedFor}); ${paths.neededBecause}`);
  }
  return why === undefined;
}

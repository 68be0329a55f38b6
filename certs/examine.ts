/** Examines certificates on disk. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chainProblem, commonName, datesProblem } from './certificate-chain.ts';
import { CertificateFilesError, reading, readText } from './certificate-files-error.ts';
import { type DefectName, defectNames } from './pki.ts';
import { defects } from './refused.ts';
import { subjectUris } from './subject-uris.ts';

/** Whether a certificate fits the file beside it. */
export type Fit = 'fits' | 'does not fit' | 'none beside it';

export interface CertificateFinding {
  readonly file: string;
  readonly commonName: string;
  readonly uris: readonly string[];
  readonly validUntil: Date;
  /** Whole days from now until then; negative when it is over. */
  readonly daysLeft: number;
  readonly chain: Fit;
  readonly key: Fit;
  /** What is wrong, as sentences, but for the intended defect. */
  readonly problems: readonly string[];
  /** The intended defect of a file in a folder `refused` that is named by one. */
  readonly madeToBe?: DefectName;
}

/** One examined part; there is no problem where it fits, or where nothing is beside it. */
interface Part {
  readonly fit: Fit;
  readonly problem?: string;
}

const day = 24 * 60 * 60 * 1000;

/** Looks at every `*.cert.pem` below these directories, and at these files. Throws a CertificateFilesError. */
export function examine(paths: readonly string[], now = Date.now()): CertificateFinding[] {
  return paths.flatMap(certificateFiles).map((file) => examineFile(file, now));
}

function certificateFiles(path: string): string[] {
  if (!existsSync(path)) throw new CertificateFilesError(`${path} does not exist`);
  if (!statSync(path).isDirectory()) return [path];
  const names = reading(path, () => readdirSync(path, { recursive: true, encoding: 'utf8' }));
  const certificates = names.filter((name) => name.endsWith('.cert.pem')).sort();
  if (certificates.length === 0) throw new CertificateFilesError(`${path} has no file *.cert.pem`);
  return certificates.map((name) => join(path, name));
}

function examineFile(file: string, now: number): CertificateFinding {
  const [own, ...sent] = certificatesIn(file);
  if (own === undefined) throw new CertificateFilesError(`${file} holds no certificate in PEM`);
  const dates = part(datesProblem(own, now));
  const chain = chainPart(own, sent, file, now);
  const key = keyPart(own, file);
  const madeToBe = defectOf(file);
  const validUntil = new Date(own.validTo);
  return {
    file,
    commonName: commonName(own),
    uris: subjectUris(own),
    validUntil,
    daysLeft: Math.floor((validUntil.getTime() - now) / day),
    chain: chain.fit,
    key: key.fit,
    problems: problemsOf({ dates, chain, key }, madeToBe),
    ...(madeToBe === undefined ? {} : { madeToBe }),
  };
}

/** The intended defect is no problem; its absence is one. */
function problemsOf(parts: Readonly<Record<'dates' | 'chain' | 'key', Part>>, madeToBe?: DefectName): string[] {
  const affected = madeToBe === undefined ? undefined : defects[madeToBe].affects;
  const problems = Object.entries(parts).flatMap(([name, { problem }]) => (name === affected ? [] : (problem ?? [])));
  const isRepaired = affected !== undefined && parts[affected].fit === 'fits';
  return isRepaired ? [...problems, `it is made to be ${madeToBe}, and is not`] : problems;
}

function defectOf(file: string): DefectName | undefined {
  if (basename(dirname(file)) !== 'refused') return undefined;
  return defectNames.find((defect) => basename(file) === `${defect}.cert.pem`);
}

function part(problem: string | undefined): Part {
  return problem === undefined ? { fit: 'fits' } : { fit: 'does not fit', problem };
}

/** The chain beside the file, or beside its folder. */
function chainPart(own: X509Certificate, sent: readonly X509Certificate[], file: string, now: number): Part {
  const directory = dirname(file);
  const chain = [directory, join(directory, '..')].map((path) => join(path, 'ca-chain.cert.pem')).find(existsSync);
  return chain === undefined ? { fit: 'none beside it' } : part(chainProblem(own, sent, certificatesIn(chain), now));
}

function keyPart(own: X509Certificate, file: string): Part {
  const path = file.replace(/\.cert\.pem$/, '.key.pem');
  if (path === file || !existsSync(path)) return { fit: 'none beside it' };
  const text = reading(path, () => readFileSync(path));
  try {
    return part(own.checkPrivateKey(createPrivateKey(text)) ? undefined : 'its key does not fit');
  } catch {
    return part('its key is no private key in PEM, or has a passphrase');
  }
}

function certificatesIn(file: string): X509Certificate[] {
  const texts = readText(file).match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return reading(file, () => texts.map((one) => new X509Certificate(one)));
}

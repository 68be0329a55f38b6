/** What can be said of certificates on disk. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { subjectUris } from './subject-uris.ts';
import { CertificateFilesError } from './write.ts';

export interface Finding {
  readonly file: string;
  readonly commonName: string;
  readonly uris: readonly string[];
  readonly validUntil: Date;
  /** Whole days from now until then; negative when it is over. */
  readonly daysLeft: number;
  /** What is wrong, as sentences. */
  readonly problems: readonly string[];
  /** True for what lies in a folder `refused`: there, problems are what it is for. */
  readonly meantToBeRefused: boolean;
}

const day = 24 * 60 * 60 * 1000;

/** Looks at every `*.cert.pem` below these directories, and at these files. Throws a CertificateFilesError. */
export function examine(paths: readonly string[], now = Date.now()): Finding[] {
  return paths.flatMap(certificateFiles).map((file) => examineFile(file, now));
}

function certificateFiles(path: string): string[] {
  if (!existsSync(path)) throw new CertificateFilesError(`${path} does not exist`);
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.cert.pem'));
  if (names.length === 0) throw new CertificateFilesError(`${path} has no file *.cert.pem`);
  return names.sort().map((name) => join(path, name));
}

function examineFile(file: string, now: number): Finding {
  const all = certificatesIn(file);
  const [own] = all;
  if (own === undefined) throw new CertificateFilesError(`${file} holds no certificate in PEM`);
  const [from, until] = [new Date(own.validFrom), new Date(own.validTo)];
  const problems = [
    ...(from.getTime() > now ? [`it is not valid before ${from.toISOString().slice(0, 10)}`] : []),
    ...(until.getTime() < now ? [`it expired on ${until.toISOString().slice(0, 10)}`] : []),
    ...chainProblems(own, file),
    ...keyProblems(own, file),
  ];
  return {
    file: relative('.', file) || file,
    commonName: /^CN=(.*)$/m.exec(own.subject)?.[1] ?? own.subject,
    uris: subjectUris(own),
    validUntil: until,
    daysLeft: Math.floor((until.getTime() - now) / day),
    problems,
    meantToBeRefused: basename(dirname(file)) === 'refused',
  };
}

function certificatesIn(file: string): X509Certificate[] {
  const texts = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return texts.map((text) => new X509Certificate(text));
  } catch (error) {
    throw new CertificateFilesError(`${file}: ${(error as Error).message}`);
  }
}

/** The chain beside the file, or beside its folder. */
function chainProblems(own: X509Certificate, file: string): string[] {
  const directory = dirname(file);
  const chain = [directory, dirname(directory)].map((path) => join(path, 'ca-chain.cert.pem')).find(existsSync);
  if (chain === undefined) return [];
  const authorities = certificatesIn(chain);
  const issued = authorities.some((issuer) => own.checkIssued(issuer) && own.verify(issuer.publicKey));
  return issued ? [] : ['no authority of ca-chain.cert.pem has issued it'];
}

function keyProblems(own: X509Certificate, file: string): string[] {
  const path = file.replace(/\.cert\.pem$/, '.key.pem');
  if (path === file || !existsSync(path)) return [];
  try {
    return own.checkPrivateKey(createPrivateKey(readFileSync(path))) ? [] : ['its key does not fit'];
  } catch {
    return ['its key cannot be read'];
  }
}

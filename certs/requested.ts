/** What the flags of `cselab certs make` ask for. */
import { isIP } from 'node:net';
import { CertificateFilesError } from './certificate-files-error.ts';
import type { MakeFlags } from './certs-command.ts';
import type { PkiOptions } from './pki.ts';

/** A certificate that is asked for: the name of its file without the ending, and its identifier. */
export interface Requested {
  readonly name: string;
  readonly identifier: string;
}

export interface RequestedPki {
  readonly cses: readonly Requested[];
  readonly applications: readonly Requested[];
  readonly options: PkiOptions;
}

/** A hundred years; a certificate cannot say every year that a Date can. */
const mostDays = 36_500;

/** Throws a CertificateFilesError with everything that is wrong with the flags, a line for each. */
export function requested(flags: MakeFlags): RequestedPki {
  const { gateway, backend, spId, days, host: hosts = [], ae = ['CTest-AE', 'CTestIPE'] } = flags;
  const home = `//${spId}/${gateway}`;
  const identifiers = new Set(ae.map((given) => (given.startsWith('//') ? given : `${home}/${given}`)));
  const applications = [...identifiers].map((identifier) => ({ name: fileNameOf(identifier), identifier }));
  const cses = [gateway, backend].map((id) => ({ name: `${id}-client-server`, identifier: `//${spId}/${id}` }));
  const all = [...cses, ...applications];
  const problems = [
    ...Object.entries({ '--gateway': gateway, '--backend': backend, '--sp-id': spId }).flatMap(wrongSegment),
    ...applications.flatMap(({ identifier }) => wrongIdentifier(identifier, home)),
    ...hosts.flatMap(wrongHost),
    ...(days >= 1 && days <= mostDays ? [] : [`--days ${days} is not between 1 and ${mostDays}`]),
    ...sameFile(all),
  ];
  if (problems.length > 0) throw new CertificateFilesError(problems.join('\n'));
  const holders = Object.fromEntries(all.map(({ name, identifier }) => [name, identifier]));
  return { cses, applications, options: { holders, refused: applications[0]?.identifier ?? home, days, hosts } };
}

/** `//sp/cse/CTest-AE` → `test-ae`, `//sp/cse/CTestIPE` → `test-ipe`. */
function fileNameOf(identifier: string): string {
  const last = identifier.slice(identifier.lastIndexOf('/') + 1);
  const words = last.replace(/^C(?=.)/, '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-');
  return words.toLowerCase();
}

/** The unreserved characters of RFC 3986: what identifiers of oneM2M are made of (TS-0001, 7.2). */
const segment = /^[A-Za-z0-9._~-]+$/;

function wrongSegment([flag, given]: readonly [flag: string, given: string]): string[] {
  return segment.test(given) ? [] : [`${flag} ${given}: an identifier has letters, digits and . _ ~ - only`];
}

function wrongIdentifier(identifier: string, home: string): string[] {
  const below = identifier.startsWith(`${home}/`);
  const segments = below ? [identifier.slice(home.length + 1)] : identifier.slice(2).split('/');
  if (segments.length === (below ? 1 : 3) && segments.every((one) => segment.test(one))) return [];
  const given = below ? segments.join('/') : identifier;
  return [`--ae ${given} is neither an AE-ID such as CMyApp nor an absolute //sp/cse/ae`];
}

function wrongHost(host: string): string[] {
  const isName = /^(\*\.)?([A-Za-z0-9_-]{1,63}\.)*(?!\d+$)[A-Za-z0-9-]{1,63}$/.test(host);
  const isAddress = isIP(host) !== 0 && !host.includes('%');
  return isName || isAddress ? [] : [`--host ${host} is neither a DNS name nor an address`];
}

function sameFile(all: readonly Requested[]): string[] {
  return all.flatMap(({ name, identifier }, at) => {
    const before = all.slice(0, at).find((other) => other.name === name);
    return before === undefined ? [] : [`${before.identifier} and ${identifier} would both be ${name}.cert.pem`];
  });
}

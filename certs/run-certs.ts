/** What `cselab certs make`, `issue` and `check` do once their flags are read. */

import { isIP } from 'node:net';
import { relative } from 'node:path';
import { CertificateFilesError, fileErrorOf, readText } from './certificate-files-error.ts';
import type { IssueFlags, MakeFlags } from './certs-command.ts';
import { type CertificateFinding, examine } from './examine.ts';
import { clientIssuer, makePki, type PkiOptions } from './pki.ts';
import { defects } from './refused.ts';
import { CertificateDirectory, fileNameOf, shipped } from './shipped.ts';
import { writeCertificates, writePki } from './write.ts';

/** Rejects with a CertificateFilesError. */
export async function runMake(flags: MakeFlags): Promise<void> {
  const { cses, applications, options } = readRequest(flags);
  const pki = await makePki(options);
  const paths = await writePki(pki, flags.out, { force: flags.force === true, authorityKeys: true });
  for (const path of paths) console.log(displayPath(path));
  const directory = new CertificateDirectory(flags.out);
  for (const cse of cses) console.log(configuration(cse, directory));
  for (const application of applications) console.log(flagsOfCurl(application, directory));
}

/** Adds to the existing files. Rejects with a CertificateFilesError, also where the directory lacks the private key of the authority. */
export async function runIssue(identifiers: readonly string[], { in: path, days, force }: IssueFlags): Promise<void> {
  const all = [...new Set(identifiers)].map((identifier) => ({ name: fileNameOf(identifier), identifier }));
  const wrong = identifiers.filter((one) => !absolute.test(one));
  const notAbsolute = wrong.map((one) => `${one} is no absolute //sp/cse/ae, nor //sp/cse of a CSE`);
  const problems = [...notAbsolute, ...wrongDays(days), ...sameFile(all)];
  if (problems.length > 0) throw new CertificateFilesError(problems.join('\n'));
  const directory = new CertificateDirectory(path);
  const issue = await clientIssuer(readText(directory.chain), readText(directory.issuingKey), days).catch(
    (error: unknown) => {
      throw fileErrorOf(`issue by ${directory.issuingKey}`, error);
    },
  );
  const pairs = await Promise.all(all.map(async ({ name, identifier }) => [name, await issue(identifier)] as const));
  for (const file of await writeCertificates(pairs, path, { force: force === true })) console.log(displayPath(file));
  for (const application of all) console.log(flagsOfCurl(application, directory));
}

function configuration({ name, identifier }: Requested, directory: CertificateDirectory): string {
  const { cert, key } = directory.certificate(name);
  return `
${identifier} has in its configuration file, as ssl_certs
  key  ${displayPath(key)}
  crt  ${displayPath(cert)}
  ca   ${displayPath(directory.chain)}`;
}

function flagsOfCurl({ name, identifier }: Requested, directory: CertificateDirectory): string {
  const { cert, key } = directory.certificate(name);
  return `
${identifier} sends its requests with
  --cert ${displayPath(cert)} \\
  --key ${displayPath(key)} \\
  --cacert ${displayPath(directory.chain)} \\
  -H 'X-M2M-Origin: ${identifier}'`;
}

/** Sets exit code 1 when something is out of date, nearly so, or does not fit. Throws a CertificateFilesError. */
export function runCertificateCheck(paths: readonly string[], days: number): void {
  const findings = examine(paths.length > 0 ? paths : [shipped.path]);
  for (const finding of findings) console.log(findingText(finding, days));
  const bad = findings.filter((finding) => complaints(finding, days).length > 0).length;
  console.log(`\n${countText(findings)}; ${bad === 0 ? 'all are as intended' : `attention needed: ${bad}`}`);
  if (bad > 0) process.exitCode = 1;
}

function countText(findings: readonly CertificateFinding[]): string {
  const made = findings.filter(({ madeToBe }) => madeToBe !== undefined).length;
  const all = findings.length === 1 ? '1 certificate' : `${findings.length} certificates`;
  return made === 0 ? all : `${all}, ${made} made to be refused`;
}

/** A certificate to be refused may expire soon: that changes little, and the authority beside it says so anyway. */
function complaints({ problems, daysLeft, madeToBe }: CertificateFinding, days: number): string[] {
  const soon = madeToBe === undefined && daysLeft >= 0 && daysLeft < days ? [`fewer than ${days} days are left`] : [];
  return [...problems, ...soon];
}

function findingText(finding: CertificateFinding, days: number): string {
  const { file, uris, validUntil, daysLeft, chain, key, madeToBe } = finding;
  const found = complaints(finding, days);
  const fine = madeToBe === undefined ? 'fits' : 'made to be refused';
  return [
    `${displayPath(file)}: ${found.length === 0 ? fine : 'needs attention'}`,
    `  ${finding.commonName}`,
    ...uris.map((uri) => `  ${uri}`),
    `  until ${validUntil.toISOString().slice(0, 10)}, ${daysLeft} days; chain: ${chain}; key: ${key}`,
    ...(madeToBe === undefined ? [] : [`  ${defects[madeToBe].meaning}`]),
    ...found.map((problem) => `  ! ${problem}`),
  ].join('\n');
}

/** Relative to the working directory, unless it lies above it. */
function displayPath(path: string): string {
  const fromHere = relative('.', path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}

/** A requested certificate: the name of its file without the ending, and its identifier. */
interface Requested {
  readonly name: string;
  readonly identifier: string;
}

/** A hundred years; a certificate cannot say every year that a Date can. */
const mostDays = 36_500;

/** Throws a CertificateFilesError with everything that is wrong with the flags, a line for each. */
export function readRequest(flags: MakeFlags) {
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
    ...wrongDays(days),
    ...sameFile(all),
  ];
  if (problems.length > 0) throw new CertificateFilesError(problems.join('\n'));
  const holders = Object.fromEntries(all.map(({ name, identifier }) => [name, identifier]));
  const options: PkiOptions = { holders, refused: applications[0]?.identifier ?? home, days, hosts };
  return { cses, applications, options };
}

function wrongDays(days: number): string[] {
  return days >= 1 && days <= mostDays ? [] : [`--days ${days} is not between 1 and ${mostDays}`];
}

/** The unreserved characters of RFC 3986: what identifiers of oneM2M are made of (TS-0001, 7.2). */
const segment = /^[A-Za-z0-9._~-]+$/;
const absolute = /^\/(\/[A-Za-z0-9._~-]+){2,3}$/;

function wrongSegment([flag, given]: readonly [flag: string, given: string]): string[] {
  return segment.test(given) ? [] : [`${flag} ${given}: an identifier has letters, digits and . _ ~ - only`];
}

function wrongIdentifier(identifier: string, home: string): string[] {
  const below = identifier.startsWith(`${home}/`);
  const segments = below ? [identifier.slice(home.length + 1)] : identifier.slice(2).split('/');
  if (segments.length === (below ? 1 : 3) && segments.every((one) => segment.test(one))) return [];
  const name = below ? segments.join('/') : identifier;
  return [`--ae ${name} is neither an AE-ID such as CMyApp nor an absolute //sp/cse/ae`];
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

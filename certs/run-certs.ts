/** What `cselab certs make` and `cselab certs check` do once their flags are read. */
import { relative } from 'node:path';
import type { MakeFlags } from './certs-command.ts';
import { examine, type Finding } from './examine.ts';
import { makePki } from './pki.ts';
import { mistakes } from './refused.ts';
import { type Requested, requested } from './requested.ts';
import { CertificateDirectory, shipped } from './shipped.ts';
import { writePki } from './write.ts';

/** Rejects with a CertificateFilesError. */
export async function runMake(flags: MakeFlags): Promise<void> {
  const { cses, applications, options } = requested(flags);
  const pki = await makePki(options);
  const paths = await writePki(pki, flags.out, { force: flags.force === true, authorityKeys: true });
  for (const path of paths) console.log(shown(path));
  const directory = new CertificateDirectory(flags.out);
  for (const cse of cses) console.log(configuration(cse, directory));
  for (const application of applications) console.log(flagsOfCurl(application, directory));
}

function configuration({ name, identifier }: Requested, directory: CertificateDirectory): string {
  const { cert, key } = directory.certificate(name);
  return `
${identifier} has in its configuration file, as ssl_certs
  key  ${shown(key)}
  crt  ${shown(cert)}
  ca   ${shown(directory.chain)}`;
}

function flagsOfCurl({ name, identifier }: Requested, directory: CertificateDirectory): string {
  const { cert, key } = directory.certificate(name);
  return `
${identifier} speaks with
  --cert ${shown(cert)} \\
  --key ${shown(key)} \\
  --cacert ${shown(directory.chain)} \\
  -H 'X-M2M-Origin: ${identifier}'`;
}

/** Sets exit code 1 when something is out of date, nearly so, or does not fit. Throws a CertificateFilesError. */
export function runCertificateCheck(paths: readonly string[], days: number): void {
  const findings = examine(paths.length > 0 ? paths : [shipped.path]);
  for (const finding of findings) console.log(described(finding, days));
  const bad = findings.filter((finding) => complaints(finding, days).length > 0).length;
  console.log(`\n${counted(findings)}; ${bad === 0 ? 'all are as they are meant to be' : `attention needed: ${bad}`}`);
  if (bad > 0) process.exitCode = 1;
}

function counted(findings: readonly Finding[]): string {
  const made = findings.filter(({ madeToBe }) => madeToBe !== undefined).length;
  const all = findings.length === 1 ? '1 certificate' : `${findings.length} certificates`;
  return made === 0 ? all : `${all}, ${made} made to be refused`;
}

/** That one made to be refused soon expires changes little, and the authority beside it says so anyway. */
function complaints({ problems, daysLeft, madeToBe }: Finding, days: number): string[] {
  const soon = madeToBe === undefined && daysLeft >= 0 && daysLeft < days ? [`fewer than ${days} days are left`] : [];
  return [...problems, ...soon];
}

function described(finding: Finding, days: number): string {
  const { file, uris, validUntil, daysLeft, chain, key, madeToBe } = finding;
  const found = complaints(finding, days);
  const fine = madeToBe === undefined ? 'fits' : 'made to be refused';
  return [
    `${shown(file)}: ${found.length === 0 ? fine : 'needs attention'}`,
    `  ${finding.commonName}`,
    ...uris.map((uri) => `  ${uri}`),
    `  until ${validUntil.toISOString().slice(0, 10)}, ${daysLeft} days; chain: ${chain}; key: ${key}`,
    ...(madeToBe === undefined ? [] : [`  ${mistakes[madeToBe].meaning}`]),
    ...found.map((problem) => `  ! ${problem}`),
  ].join('\n');
}

/** As somebody in this directory would write it, unless that is a long way up. */
function shown(path: string): string {
  const fromHere = relative('.', path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}

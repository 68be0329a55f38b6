/** What `cselab certs make` and `cselab certs check` do once their flags are read. */
import { relative } from 'node:path';
import type { MakeFlags } from './certs-command.ts';
import { examine, type Finding } from './examine.ts';
import { makePki } from './pki.ts';
import { CertificateDirectory, shipped } from './shipped.ts';
import { CertificateFilesError, writePki } from './write.ts';

/** Rejects with a CertificateFilesError. */
export async function runMake(flags: MakeFlags): Promise<void> {
  const { out, gateway, backend, spId, days, host = [], ae = ['CTest-AE'] } = flags;
  if (days < 1) throw new CertificateFilesError('--days must be 1 or more');
  const applications = ae.map((given) => absolute(given, `//${spId}/${gateway}`));
  const holders = {
    [`${gateway}-client-server`]: `//${spId}/${gateway}`,
    [`${backend}-client-server`]: `//${spId}/${backend}`,
    ...Object.fromEntries(applications.map((identifier) => [fileNameOf(identifier), identifier])),
  };
  const pki = await makePki({ holders, refused: applications[0] ?? '', days, hosts: host });
  const force = flags.force === true;
  for (const path of await writePki(pki, out, { force, authorityKeys: true })) console.log(relative('.', path) || path);
  const directory = new CertificateDirectory(out);
  for (const identifier of applications) {
    const { cert, key } = directory.certificate(fileNameOf(identifier));
    console.log(`
${identifier} speaks with
  --cert ${cert} \\
  --key ${key} \\
  --cacert ${directory.chain} \\
  -H 'X-M2M-Origin: ${identifier}'`);
  }
}

function absolute(given: string, gateway: string): string {
  const identifier = given.startsWith('//') ? given : `${gateway}/${given}`;
  if (/^\/\/[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(identifier)) return identifier;
  throw new CertificateFilesError(`--ae ${given} is neither an AE-ID such as CMyApp nor an absolute //sp/cse/ae`);
}

/** `//sp/cse/CTest-AE` → `test-ae`. */
function fileNameOf(identifier: string): string {
  const last = identifier.slice(identifier.lastIndexOf('/') + 1);
  return last.replace(/^C(?=.)/, '').toLowerCase();
}

/** Sets exit code 1 when something is out of date, nearly so, or does not fit. Throws a CertificateFilesError. */
export function runCertificateCheck(paths: readonly string[], days: number): void {
  const findings = examine(paths.length > 0 ? paths : [shipped.path]);
  for (const finding of findings) console.log(described(finding, days));
  const bad = findings.filter((finding) => !finding.meantToBeRefused && complaints(finding, days).length > 0);
  const made = findings.filter(({ meantToBeRefused }) => meantToBeRefused).length;
  console.log(
    `\n${findings.length} certificates, ${made} of them made to be refused; ${bad.length === 0 ? 'all others fit' : `${bad.length} need attention`}`,
  );
  if (bad.length > 0) process.exitCode = 1;
}

function complaints({ problems, daysLeft }: Finding, days: number): string[] {
  const soon = daysLeft >= 0 && daysLeft < days ? [`fewer than ${days} days are left`] : [];
  return [...problems, ...soon];
}

function described(finding: Finding, days: number): string {
  const { file, commonName, uris, validUntil, daysLeft, meantToBeRefused } = finding;
  const found = complaints(finding, days);
  const mark = meantToBeRefused ? 'made to be refused' : found.length === 0 ? 'fits' : 'needs attention';
  return [
    `${file}: ${mark}`,
    `  ${commonName}${uris.map((uri) => `, ${uri}`).join('')}`,
    `  until ${validUntil.toISOString().slice(0, 10)}, ${daysLeft} days`,
    ...found.map((problem) => `  ${problem}`),
  ].join('\n');
}

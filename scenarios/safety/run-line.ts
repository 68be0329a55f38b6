import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { defined } from '../engine/defined.ts';
import type { Parties } from '../engine/targets/reach-url.ts';
import type { Target } from '../engine/targets/target.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import type { LedgerSite, RunLine } from './ledger-line.ts';

/** The first line of the ledger of a run that this process begins. */
export function runLineOf(
  { run, startedAt }: Pick<RunLine, 'run' | 'startedAt'>,
  { headers = [], tls }: Pick<UrlChoice, 'headers' | 'tls'>,
  { gateway, backend, dialect, release, admin, originator }: Parties,
): RunLine {
  return {
    kind: 'run',
    ledger: 1,
    run,
    startedAt,
    pid: process.pid,
    host: hostname(),
    gateway: siteOf(gateway),
    ...(backend && { backend: siteOf(backend) }),
    dialect,
    release,
    ...(admin !== undefined && { admin }),
    ...(originator !== undefined && { originator }),
    ...(tls && { tls: filesOf(tls) }),
    ...(headers.length > 0 && { headers: headers.map(([name]) => name) }),
  };
}

function siteOf({ description: { url, base, cseId, spId } }: Target): LedgerSite {
  return { url, base, cseId, spId };
}

/** Never the passphrase. */
function filesOf({
  own,
  cacert,
  insecure,
  certs,
  requireCert,
}: NonNullable<UrlChoice['tls']>): NonNullable<RunLine['tls']> {
  const { cert, key, type } = own ?? {};
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(file));
  const files = { cert: path(cert), key: path(key), cacert: path(cacert), certs: path(certs) };
  return defined({ ...files, type, insecure, requireCert });
}

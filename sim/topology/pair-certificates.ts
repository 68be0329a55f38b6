/** The certificates of a pair: those of the project, or fresh ones where its CSEs have other names. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateDirectory, type CertificatePair, shipped, shippedHolders } from '../../certs/shipped.ts';
import type { TlsFiles } from './tls-files.ts';

/** Paths of files. */
export interface PairCertificates {
  readonly directory: CertificateDirectory;
  /** Intermediate certificate and root: curl's `--cacert`. */
  readonly chain: string;
  /** Of an application at the first gateway. */
  readonly ae: CertificatePair & { readonly originator: string };
  /** Of an interworking proxy at the first gateway. */
  readonly ipe: CertificatePair & { readonly originator: string };
  readonly gateways: readonly TlsFiles[];
  readonly backend: TlsFiles;
  /** Removes the files made for this pair alone. */
  remove(): Promise<void>;
}

export interface NamedCse {
  readonly cseId?: string;
  readonly spId?: string;
}

const fileNameOf = (cseId: string): string => `${cseId}-client-server`;
const daysOfFreshOnes = 30;

/** How they differ from the shipped ones. */
interface CertificateOptions {
  /** DNS names or addresses beside localhost: then the certificates are always fresh. */
  readonly hosts?: readonly string[];
  /** Fresh ones with the private key of their authority beside them, so that others can be issued. */
  readonly issuing?: boolean | undefined;
}

export async function pairCertificates(
  gateways: readonly NamedCse[],
  backend: NamedCse,
  { hosts = [], issuing = false }: CertificateOptions = {},
): Promise<PairCertificates> {
  const holders = holdersOf(gateways, backend);
  const known: Readonly<Record<string, string>> = shippedHolders;
  const isShipped =
    hosts.length === 0 &&
    !issuing &&
    Object.entries(holders).every(([name, identifier]) => Object.hasOwn(known, name) && known[name] === identifier);
  const directory = isShipped ? shipped : await makeFresh(holders, { hosts, issuing });
  const filesOf = ({ cseId = '' }: NamedCse): TlsFiles => {
    const { cert, key } = directory.certificate(fileNameOf(cseId));
    return { key, crt: cert, ca: directory.chain };
  };
  const application = (name: 'test-ae' | 'test-ipe') => ({
    ...directory.certificate(name),
    originator: holders[name] ?? '',
  });
  return {
    directory,
    chain: directory.chain,
    ae: application('test-ae'),
    ipe: application('test-ipe'),
    gateways: gateways.map(filesOf),
    backend: filesOf(backend),
    remove: async () => {
      if (!isShipped) await rm(directory.path, { recursive: true, force: true });
    },
  };
}

/** File names to identifiers. */
function holdersOf(gateways: readonly NamedCse[], backend: NamedCse): Record<string, string> {
  const absolute = ({ cseId = '', spId = 'openmtc.org' }: NamedCse) => `//${spId}/${cseId}`;
  const cses = [...gateways, backend].map((cse) => [fileNameOf(cse.cseId ?? ''), absolute(cse)]);
  const home = absolute(gateways[0] ?? backend);
  return { ...Object.fromEntries(cses), 'test-ae': `${home}/CTest-AE`, 'test-ipe': `${home}/CTestIPE` };
}

async function makeFresh(
  holders: Readonly<Record<string, string>>,
  { hosts, issuing }: { readonly hosts: readonly string[]; readonly issuing: boolean },
): Promise<CertificateDirectory> {
  // Loaded on demand: it takes longer to load than a pair to start.
  const [{ makePki }, { writePki }] = await Promise.all([import('../../certs/pki.ts'), import('../../certs/write.ts')]);
  const path = await mkdtemp(join(tmpdir(), 'cselab-certs-'));
  const pki = await makePki({ holders, hosts, refused: holders['test-ae'] ?? '', days: daysOfFreshOnes });
  await writePki(pki, path, { authorityKeys: issuing });
  return new CertificateDirectory(path);
}

/** The flags of `cselab check` that say what is judged, and how it is reached: many of them are curl's. */
import type { TargetChoice } from '../../scenarios/index.ts';
import { defined, dialects, UsageError } from '../../scenarios/words.ts';
import { headersOf, splitPassphrase } from '../curl-words.ts';
import { choice, duration, eitherWay, type Flags, type GivenIn, list, read, text, wholeNumber, yes } from './flag.ts';
import type { SafetyFlags } from './safety-flags.ts';

/** Milliseconds; 0 for a target that is not waited for. */
const orNone = (text: string) => (/^0(ms|s|m|h)?$/.test(text) ? 0 : duration(text));

const [ofTarget, ofCertificates, ofBackend] = [
  'The target:',
  'Certificates and headers, named as by curl:',
  'Its backend:',
] as const;

export const targetFlags = {
  [ofTarget]: {
    target: text(
      '--target <file>',
      'a file that describes the target, or the name of a product that cselab knows; flags win',
    ),
    url: text('--url <url>', 'the target; the embedded reference CSE when absent'),
    inProcess: yes('--in-process', 'the embedded reference CSE without a socket'),
    dialect: choice(
      '--dialect <name>',
      'how the target speaks: by the interface specification, or by oneM2M TS-0009 (default: documented)',
      dialects,
    ),
    base: text('--base <name>', "name of the target's CSE base (default: onem2m; with --dialect onem2m cse-in)"),
    cseId: text('--cse-id <id>', "the target's CSE identifier (default: what its CSE base says)"),
    spId: text('--sp-id <id>', "the target's service provider identifier (default: openmtc.org)"),
    originator: text('--originator <id>', 'X-M2M-Origin of every request (default with a certificate: its identifier)'),
    admin: text('--admin <id>', 'originator that may do everything'),
    release: text('--release <release>', 'release of oneM2M that requests name, with --dialect onem2m (default: 3)'),
    accessControl: eitherWay(
      '--access-control',
      'the target looks at access control policies (default with --dialect onem2m)',
      '--no-access-control',
      'the target lets everybody do everything',
    ),
    inboxHost: text('--inbox-host <host>', 'name by which the target reaches this harness, for notifications'),
    waitForTarget: read(
      '--wait-for-target <duration>',
      'how long to wait for a target that is not there, at the start and when it dies; 0 for not at all (default: 10s)',
      orNone,
    ),
    waitBudget: read(
      '--wait-budget <duration>',
      'what a run may wait for time to pass at the target (default: 30s)',
      duration,
    ),
  },
  [ofCertificates]: {
    cert: text('-E, --cert <file[:passphrase]>', 'client certificate, PEM or PKCS#12, sent to an https target'),
    key: text('--key <file>', 'its private key, unless the same file holds it'),
    certType: text('--cert-type <type>', 'PEM or P12 (default: P12 for .p12 and .pfx, else PEM)'),
    cacert: text('--cacert <file>', 'chain by which the certificate of the target is verified'),
    insecure: yes('-k, --insecure', 'do not verify the certificate of the target'),
    header: list('-H, --header <header>', "'Name: value', sent with every request; repeatable"),
    certs: text('--certs <dir>', 'directory of further certificates, as `cselab certs make` writes it'),
    requireCert: eitherWay(
      '--require-cert',
      'the target is configured to demand a client certificate',
      '--no-require-cert',
      'the target is configured to do without',
    ),
  },
  [ofBackend]: {
    backendUrl: text('--backend-url <url>', 'the backend at which the target is registered'),
    backendBase: text('--backend-base <name>', 'name of its CSE base (default: onem2m)'),
    backendCseId: text('--backend-cse-id <id>', 'its CSE identifier (default: what it says, or in-cse-1)'),
    asBackend: read(
      '--as-backend <port>',
      'play the backend at this port, and judge how the target registers',
      wholeNumber,
    ),
    asBackendInterface: text('--as-backend-interface <address>', 'where to listen for that (default: 127.0.0.1)'),
    asBackendLabel: text('--as-backend-label <label>', 'a label with which the target is configured to register'),
    backendWait: read(
      '--backend-wait <duration>',
      'how long the target is given to register there (default: 30s)',
      duration,
    ),
  },
};

const { [ofTarget]: names, [ofCertificates]: certificates, [ofBackend]: backend } = targetFlags;

export type TargetFlags = GivenIn<typeof targetFlags> &
  Pick<SafetyFlags, 'lifetime' | 'rate' | 'connections' | 'risky'>;

/** For commands that only have to reach a target, and say some things of it in words of their own. */
export function reachFlags<Own extends Flags>(own: Own) {
  const { admin, waitForTarget } = names;
  return { [ofTarget]: { ...own, admin, waitForTarget }, [ofCertificates]: certificates };
}

export interface Secrets {
  /** From the environment. */
  readonly passphrase?: string;
  /** Absent where nobody can be asked. */
  readonly askPassphrase?: (file: string) => Promise<string>;
}

/** The target that the flags alone describe. Throws UsageError for flags that do not go together. */
export function targetOf(flags: TargetFlags, secrets: Secrets = {}): TargetChoice {
  const { url, inProcess, base, cseId, spId } = flags;
  if (url !== undefined && inProcess) throw new UsageError('--url and --in-process exclude each other');
  if (url === undefined) {
    const given = new Set(Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : name)));
    const stray = flagsOfUrls.filter((name) => given.has(name)).map(written);
    if (stray.length > 0) throw new UsageError(`${stray.join(', ')} ${stray.length === 1 ? 'goes' : 'go'} with --url`);
    return { kind: inProcess ? 'in-process' : 'embedded' };
  }
  const { headers, originator } = headersOf(flags.header ?? [], flags.originator);
  const { admin, release, accessControl, inboxHost, waitBudget, waitForTarget } = flags;
  const { lifetime, rate, connections } = flags;
  const names = defined({ base, cseId, spId, admin, release, accessControl, inboxHost, waitBudget, waitForTarget });
  const limits = defined({ lifetime, rate, connections, risky: flags.risky && ('all' as const) });
  const others = defined({ originator, backend: backendOf(flags), playBackend: playedOf(flags) });
  return { kind: 'url', url, ...names, ...limits, ...others, headers, tls: tlsOf(flags, secrets) };
}

const { target: _file, url: _url, inProcess: _inProcess, dialect: _dialect, ...namesOfUrls } = names;
/** Those that say something of a target with a URL only. */
const flagsOfUrls = [
  ...Object.keys({ ...namesOfUrls, ...certificates, ...backend }),
  ...['lifetime', 'rate', 'connections', 'risky'],
];

/** As it is written: `--max-time` of `maxTime`. */
export function written(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

type UrlTarget = Extract<TargetChoice, { kind: 'url' }>;

function tlsOf(flags: TargetFlags, { passphrase, askPassphrase }: Secrets): NonNullable<UrlTarget['tls']> {
  const { cert, key, cacert, insecure, certs, requireCert } = flags;
  if (cert === undefined && (key !== undefined || flags.certType !== undefined)) {
    throw new UsageError(`${key === undefined ? '--cert-type' : '--key'} goes with --cert`);
  }
  const tls = defined({ cacert, insecure, certs, requireCert });
  if (cert === undefined) return tls;
  const { file, ...named } = splitPassphrase(cert);
  const type = certificateType(flags.certType);
  return { ...tls, own: { cert: file, ...defined({ key, type, passphrase, askPassphrase }), ...named } };
}

function certificateType(text: string | undefined): 'PEM' | 'P12' | undefined {
  if (text === undefined) return undefined;
  const type = text.toUpperCase();
  if (type === 'PEM' || type === 'P12') return type;
  throw new UsageError(`--cert-type is PEM or P12, not "${text}"`);
}

function backendOf({ backendUrl, backendBase, backendCseId, asBackend }: TargetFlags): UrlTarget['backend'] {
  if (backendUrl === undefined) {
    const stray = backendBase ?? backendCseId;
    if (stray !== undefined && asBackend === undefined) {
      throw new UsageError('--backend-base and --backend-cse-id go with --backend-url or --as-backend');
    }
    return undefined;
  }
  if (asBackend !== undefined) throw new UsageError('--backend-url and --as-backend exclude each other');
  return { url: backendUrl, ...defined({ base: backendBase, cseId: backendCseId }) };
}

function playedOf(flags: TargetFlags): UrlTarget['playBackend'] {
  const { asBackend: port, asBackendInterface, asBackendLabel: label, backendWait, backendBase, backendCseId } = flags;
  if (port === undefined) {
    if (asBackendInterface !== undefined) throw new UsageError('--as-backend-interface goes with --as-backend');
    if (label !== undefined) throw new UsageError('--as-backend-label goes with --as-backend');
    if (backendWait !== undefined) throw new UsageError('--backend-wait goes with --as-backend');
    return undefined;
  }
  if (port < 1 || port > 65_535) throw new UsageError('--as-backend is a port from 1 to 65535');
  return {
    port,
    ...defined({ interface: asBackendInterface, label, wait: backendWait, base: backendBase, cseId: backendCseId }),
  };
}

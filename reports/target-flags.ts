/** The flags of `cselab check` that say what is judged, and how it is reached: many of them are curl's. */
import { Command, Option } from 'commander';
import type { TargetChoice } from '../scenarios/index.ts';
import { type Dialect, defined, dialects, UsageError } from '../scenarios/words.ts';
import { headersOf, splitPassphrase } from './curl-words.ts';
import { collect } from './deviation-flag.ts';
import type { SafetyFlags } from './safety-flags.ts';

export interface TargetFlags extends Pick<SafetyFlags, 'lifetime' | 'rate' | 'connections' | 'risky'> {
  target?: string;
  url?: string;
  inProcess?: true;
  base?: string;
  cseId?: string;
  spId?: string;
  cert?: string;
  key?: string;
  certType?: string;
  cacert?: string;
  insecure?: true;
  header?: string[];
  originator?: string;
  certs?: string;
  requireCert?: boolean;
  backendUrl?: string;
  backendBase?: string;
  backendCseId?: string;
  asBackend?: number;
  asBackendInterface?: string;
  asBackendLabel?: string;
  backendWait?: number;
  /** `documented` when neither this nor a target file says so. */
  dialect?: Dialect;
  admin?: string;
  release?: string;
  accessControl?: boolean;
  inboxHost?: string;
  waitBudget?: number;
  waitForTarget?: number;
}

/** Parses the texts of flags; throws commander's error for what cannot be meant. */
export interface FlagParsers {
  readonly wholeNumber: (text: string) => number;
  /** Milliseconds. */
  readonly duration: (text: string) => number;
}

/** Milliseconds; 0 for a target that is not waited for. */
const orNone = (duration: FlagParsers['duration']) => (text: string) =>
  /^0(ms|s|m|h)?$/.test(text) ? 0 : duration(text);

export function addTargetFlags(command: Command, { wholeNumber, duration }: FlagParsers): Command {
  return command
    .optionsGroup('The target:')
    .option(
      '--target <file>',
      'a file that describes the target, or the name of a product that cselab knows; flags win',
    )
    .option('--url <url>', 'the target; the embedded reference CSE when absent')
    .option('--in-process', 'the embedded reference CSE without a socket')
    .addOption(
      new Option(
        '--dialect <name>',
        'how the target speaks: by the interface specification, or by oneM2M TS-0009 (default: documented)',
      ).choices(dialects),
    )
    .option('--base <name>', "name of the target's CSE base (default: onem2m; with --dialect onem2m cse-in)")
    .option('--cse-id <id>', "the target's CSE identifier (default: what its CSE base says)")
    .option('--sp-id <id>', "the target's service provider identifier (default: openmtc.org)")
    .option('--originator <id>', 'X-M2M-Origin of every request (default with a certificate: its identifier)')
    .option('--admin <id>', 'originator that may do everything')
    .option('--release <release>', 'release of oneM2M that requests name, with --dialect onem2m (default: 3)')
    .option('--access-control', 'the target looks at access control policies (default with --dialect onem2m)')
    .option('--no-access-control', 'the target lets everybody do everything')
    .option('--inbox-host <host>', 'name by which the target reaches this harness, for notifications')
    .option(
      '--wait-for-target <duration>',
      'how long to wait for a target that is not there, at the start and when it dies; 0 for not at all (default: 10s)',
      orNone(duration),
    )
    .option('--wait-budget <duration>', 'what a run may wait for time to pass at the target (default: 30s)', duration)
    .optionsGroup('Certificates and headers, named as by curl:')
    .option('-E, --cert <file[:passphrase]>', 'client certificate, PEM or PKCS#12, sent to an https target')
    .option('--key <file>', 'its private key, unless the same file holds it')
    .option('--cert-type <type>', 'PEM or P12 (default: P12 for .p12 and .pfx, else PEM)')
    .option('--cacert <file>', 'chain by which the certificate of the target is verified')
    .option('-k, --insecure', 'do not verify the certificate of the target')
    .option('-H, --header <header>', "'Name: value', sent with every request; repeatable", collect)
    .option('--certs <dir>', 'directory of further certificates, as `cselab certs make` writes it')
    .option('--require-cert', 'the target is configured to demand a client certificate')
    .option('--no-require-cert', 'the target is configured to do without')
    .optionsGroup('Its backend:')
    .option('--backend-url <url>', 'the backend at which the target is registered')
    .option('--backend-base <name>', 'name of its CSE base (default: onem2m)')
    .option('--backend-cse-id <id>', 'its CSE identifier (default: what it says, or in-cse-1)')
    .option('--as-backend <port>', 'play the backend at this port, and judge how the target registers', wholeNumber)
    .option('--as-backend-interface <address>', 'where to listen for that (default: 127.0.0.1)')
    .option('--as-backend-label <label>', 'a label with which the target is configured to register')
    .option('--backend-wait <duration>', 'how long the target is given to register there (default: 30s)', duration);
}

/** By attribute: how the target is reached, and as whom. */
const reaching = new Set([
  ...['waitForTarget', 'cert', 'key', 'certType', 'cacert', 'insecure', 'header', 'certs', 'requireCert', 'admin'],
]);

/** Those by which the target is reached, and any others that need `otherwise` words here, by attribute. */
export function addReachFlags(
  command: Command,
  parsers: FlagParsers,
  otherwise: Readonly<Record<string, string>>,
): void {
  const words = new Map(Object.entries(otherwise));
  for (const option of addTargetFlags(new Command(), parsers).options) {
    const name = option.attributeName();
    if (!reaching.has(name) && !words.has(name)) continue;
    option.description = words.get(name) ?? option.description;
    command.addOption(option);
  }
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
    const stray = flagsOfUrls.filter((flag) => flags[flag] !== undefined).map(written);
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

const flagsOfUrls = [
  'base',
  'cseId',
  'spId',
  'cert',
  'key',
  'certType',
  'cacert',
  'insecure',
  'header',
  'originator',
  'certs',
  'requireCert',
  'backendUrl',
  'backendBase',
  'backendCseId',
  'asBackend',
  'asBackendInterface',
  'asBackendLabel',
  'backendWait',
  'admin',
  'release',
  'accessControl',
  'inboxHost',
  'waitBudget',
  'waitForTarget',
  'lifetime',
  'rate',
  'connections',
  'risky',
] as const satisfies ReadonlyArray<keyof TargetFlags>;

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

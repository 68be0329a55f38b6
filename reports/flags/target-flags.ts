/** The flags of `cselab check` for the target and how to reach it: many are curl's. */
import { InvalidArgumentError } from 'commander';
import { dialects, serializations } from '../../scenarios/words.ts';
import {
  duration,
  type Flags,
  type FlagValues,
  portNumber,
  time,
  toggle,
  type ValuesOf,
  valued,
} from '../../sim/command-line/flag.ts';
import type { SafetyFlags } from './safety-flags.ts';

/** Milliseconds; 0: no waiting. */
const durationOrNone = (text: string) => (/^0(ms|s|m|h)?$/.test(text) ? 0 : duration(text));

const [targetHeading, certsHeading, backendHeading] = [
  'The target:',
  'Certificates and headers, named as by curl:',
  'Its backend:',
] as const;

export const targetFlags = {
  [targetHeading]: {
    target: valued('<file>', 'a file that describes the target, or the name of a product that cselab knows; flags win'),
    url: valued('<url>', 'the target; the embedded reference CSE when absent'),
    inProcess: toggle('the embedded reference CSE without a socket'),
    dialect: valued(
      '<name>',
      'how the target speaks: by the interface specification, or by oneM2M TS-0009 (default: documented)',
    ).of(dialects),
    base: valued('<name>', "name of the target's CSE base (default: onem2m; with --dialect onem2m cse-in)"),
    cseId: valued('<id>', "the target's CSE identifier (default: what its CSE base says)"),
    spId: valued('<id>', "the target's service provider identifier (default: openmtc.org)"),
    originator: valued('<id>', 'X-M2M-Origin of every request (default with a certificate: its identifier)'),
    admin: valued('<id>', 'originator that may do everything'),
    release: valued('<release>', 'release of oneM2M that requests name, with --dialect onem2m (default: 3)'),
    serialization: valued('<name>', 'of requests and responses, with --dialect onem2m (default: json)').of(
      serializations,
    ),
    accessControl: toggle('the target enforces access control policies (default with --dialect onem2m)').not(
      'the target lets everybody do everything',
    ),
    inboxHost: valued('<host>', 'name by which the target reaches this harness, for notifications'),
    waitForTarget: valued(
      '<duration>',
      'how long to wait for an unreachable target, at the start and when it dies; 0: not at all (default: 10s)',
    ).reading(durationOrNone),
    waitBudget: time('how long a run may wait for time to pass at the target (default: 30s)'),
  },
  [certsHeading]: {
    cert: valued('<file[:passphrase]>', 'client certificate, PEM or PKCS#12, sent to an https target').short('-E'),
    key: valued('<file>', 'its private key, unless the same file holds it'),
    certType: valued('<type>', 'PEM or P12 (default: P12 for .p12 and .pfx, else PEM)'),
    cacert: valued('<file>', 'chain by which the certificate of the target is verified'),
    insecure: toggle('do not verify the certificate of the target').short('-k'),
    header: valued('<header>', "'Name: value', sent with every request; repeatable").short('-H').repeatable(),
    certs: valued('<dir>', 'directory of further certificates, as `cselab certs make` writes it'),
    requireCert: toggle('the target is configured to demand a client certificate').not(
      'the target is configured to do without',
    ),
  },
  [backendHeading]: {
    backendUrl: valued('<url>', 'the backend at which the target is registered'),
    backendBase: valued('<name>', 'name of its CSE base (default: onem2m)'),
    backendCseId: valued('<id>', 'its CSE identifier (default: what it says, or in-cse-1)'),
    asBackend: valued('<port>', 'simulate the backend at this port, and check how the target registers').reading(
      portIn,
    ),
    asBackendInterface: valued('<address>', 'where to listen for that (default: 127.0.0.1)'),
    asBackendLabel: valued('<label>', 'a label with which the target is configured to register'),
    backendWait: time('how long the target is given to register there (default: 30s)'),
  },
};

const { [targetHeading]: names, [certsHeading]: certificates, [backendHeading]: backend } = targetFlags;

export type TargetFlags = ValuesOf<typeof targetFlags> &
  Pick<SafetyFlags, 'lifetime' | 'rate' | 'connections' | 'risky'>;

/** For commands that only reach a target, some with their own words. */
export function reachFlags<Own extends Flags>(own: Own) {
  const { admin, waitForTarget } = names;
  return { [targetHeading]: { ...own, admin, waitForTarget }, [certsHeading]: certificates };
}

const { target: _file, url: _url, inProcess: _inProcess, dialect: _dialect, ...namesOfUrls } = names;
/** Those for a target with a URL only. */
export const urlFlags = [
  ...Object.keys({ ...namesOfUrls, ...certificates, ...backend }),
  ...['lifetime', 'rate', 'connections', 'risky'],
];

/** Those that start the target as a container. */
export const containerFlags = {
  container: valued('[image]', 'start a CSE of this image, check it and stop it (default: of the target file)'),
  port: valued('<number>', 'with --container: the port at which the CSE listens in it').reading(portIn),
  env: valued('<name=value>', 'with --container: a variable of its environment; repeatable').repeatable(variableIn),
};

export type ContainerFlags = FlagValues<typeof containerFlags>;

function portIn(text: string): number {
  const number = portNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It is a port from 1 to 65535.');
}

function variableIn(text: string): string {
  if (/^[A-Za-z_][\w.-]*(=|$)/.test(text)) return text;
  throw new InvalidArgumentError('Write NAME=value, or NAME for that of this environment.');
}

/** The flags of `cselab up`, and the errors of contradictory ones. */
import { InvalidArgumentError } from 'commander';
import { number, port, portNumber, toggle, type ValuesOf, valued } from '../command-line/flag.ts';
import { millisecondsOf } from '../environment/clock.ts';

const commas = (text: string): string[] => text.split(',');

/** A number alone is meant in seconds. */
function seconds(text: string): number {
  try {
    return /^\d+$/.test(text) ? Number(text) : Math.ceil(millisecondsOf(text) / 1000);
  } catch {
    throw new InvalidArgumentError('Write 90s, 30m, 1h or 2d.');
  }
}

export const flags = {
  'What to start:': {
    gateway: valued('<file>', 'configuration file of the gateway').not('the backend alone'),
    backend: valued('<file>', 'configuration file of the backend').not(
      'the gateway alone; it registers only with a file of yours or --register-at',
    ),
    gateways: number('gateways registered at the backend').or(1),
    registerAt: valued('<url>', 'a backend that runs elsewhere, instead of one here'),
    tree: valued('<file>', 'initial resources of the (first) gateway: a YAML file, or building, fleet, meters'),
    workload: valued(
      '<file>',
      'simulated devices that push values into it over time: a YAML file, or building, fleet, home, meters',
    ),
  },
  'Addresses:': {
    port: port('port of the (first) gateway, 0 for a free one (default: 8000)'),
    backendPort: port('port of the backend (default: 18000, or 0 with --port 0)'),
    interface: valued('<address>', 'address to listen on; :: takes IPv4 and IPv6 (default: 127.0.0.1)'),
    ownUrl: valued('<url>', 'URL of the gateway, or of a backend alone, for others (default: where it listens)'),
    healthPort: port('port for health checks and metrics, 0 for a free one'),
    https: toggle('HTTPS at both'),
    mqtt: valued(
      '[url]',
      'MQTT, too: by this server, or one started here, at port 1883 or with --port 0 at a free one',
    ),
    ws: valued(
      '[port]',
      'WebSocket, too: at this port and those after it (default: 100 above that of HTTP, 0 for a free one)',
    ).reading(portNumber),
    coap: valued(
      '[port]',
      'CoAP, too, without DTLS: at this port and those after it (default: 5683, or with --port 0 a free one)',
    ).reading(portNumber),
    requireCert: toggle('clients must present a certificate'),
    certs: valued('<dir>', 'certificates that `cselab certs make` has made (default: those of certs/)'),
  },
  'Protocol and access:': {
    dialect: valued('<name>', 'dialect of all CSEs (default: documented)').of(['documented', 'onem2m']),
    base: valued('<name>', 'name of the CSE base of the gateway (default: onem2m)'),
    cseId: valued('<id>', 'CSE identifier of the gateway (default: mn-cse-1)'),
    spId: valued('<id>', 'service provider identifier (default: openmtc.org)'),
    admin: valued('<id>', 'originator that may do everything (default in the onem2m dialect: CAdmin)'),
    registrars: valued('<patterns>', 'originators that may register (default in the onem2m dialect: C*,S*)'),
    release: valued('<list>', 'supported releases (default in the onem2m dialect: 2a,3,4,5)'),
    accessControl: toggle('enforce access control policies (default in the onem2m dialect)').not(
      'everybody may do everything',
    ),
    limit: valued(
      '<name=number>',
      'a limit that is not the default, such as subscriptions=10; repeatable',
    ).repeatable(),
    cors: valued('<origin>', 'allow pages of this origin, such as http://localhost:5173; repeatable, or *').repeatable(
      commas,
    ),
    notifyDeny: valued(
      '<network>',
      'send nothing there: private, or 10.0.0.0/8; repeatable, or with commas',
    ).repeatable(commas),
    lifetime: valued('<duration>', 'lifetime of resources that request none, such as 30m (default: 2000s)').reading(
      seconds,
    ),
    longestLifetime: valued('<duration>', 'longest lifetime of resources').reading(seconds),
    keepExpired: toggle('keep resources after their expiration time, as some deployed CSEs do'),
  },
  'Deviations and disturbances:': {
    as: valued(
      '<product>',
      'a single CSE that differs as that product does: acme, tinyiot, mobius, openmtc, or the file that cselab profile wrote',
    ),
    deviation: valued(
      '<id|file>',
      'add a deviation, or those of a file of rows; repeatable, or with commas',
    ).repeatable(commas),
    listDeviations: valued('[text]', 'list the values of --deviation, and exit; with --as those of the product'),
    latency: valued('<duration>', 'delay every answer by this, such as 200ms'),
    jitter: valued('<duration>', 'vary the delay at random by up to this'),
    break: valued('<rule>', "disturb connections by a rule, such as 'drop POST share=10%'; repeatable").repeatable(),
    seed: number('seed of the randomness in these (default: 1)'),
  },
  'Output:': {
    log: valued('<form>', 'form of the output (default: live on a terminal, else plain)').of(['live', 'plain', 'json']),
    console: valued(
      '[port]',
      'a page with trees, traffic, deviations and the clock, on 127.0.0.1 (default: a free port)',
    ).reading(portNumber),
  },
  'For tests:': {
    adminPort: port('port for tests to reset and inspect the first CSE, 0 for a free one'),
    adminToken: valued('<text>', 'token of the admin port (default: a random one, which is printed)'),
    manualClock: toggle('time stands still until the admin port or the console advances it'),
  },
  'Options:': { verbose: toggle('a line for each request, and every note on the files').short('-v') },
};

export type UpOptions = ValuesOf<typeof flags>;

/** The address cannot be listened on: taken, not allowed, or not this machine's. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const advice = code === 'EADDRINUSE' ? 'something else listens there; choose another port' : code;
    super(`cannot listen on ${host} port ${port}: ${advice}`, { cause });
  }
}

type ErrorClass = new (...texts: string[]) => Error;

/** The result of `read`. Errors of these classes are the user's: an UpOptionsError names the flag. */
export function namingFlag<Value>(flag: string, classes: readonly ErrorClass[], read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof Error && classes.some((known) => error instanceof known)
      ? new UpOptionsError(`${flag}: ${error.message}`)
      : error;
  }
}

/** Flags that contradict each other or the files, or have impossible values. */
export class UpOptionsError extends Error {
  override readonly name = 'UpOptionsError';
}

/** `cselab up`: a gateway and a backend to play with. Loads the CSE only when it runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { millisecondsOf } from './clock.ts';
import type { UpOptions } from './up/options.ts';

const examples = `
Without files it starts what fixtures/config-gateway.json and
fixtures/config-backend.json describe. In the onem2m dialect it starts one CSE
without files, cse-in with the identifier id-in; with --backend-port a gateway
cse-mn (id-mn) that is registered at it. The last line of its output is
"ready", the URL of the first gateway, and that of the backend.

What is wrong on purpose is wrong with each gateway, or with a backend alone.
A rule of --break is 'EFFECT [METHOD] [PATH] [key=value...]':
  latency     the answer comes later: by=200ms, from=100ms to=300ms, or mostly
              soon and seldom late: median=50ms p99=2s
  throttle    its body comes slowly: rate=BYTES, a second
  drop        the connection is closed before an answer; carried out or not:
              lost=answer (default), lost=request
  reset       the same by a TCP reset
  empty       200 with nothing (answer=ok, default), or answer=nothing at all
  truncate    half the body; bytes=N, keep=0.2, of=answer: with its head
  malformed-chunks  the second chunk of the body has no length
  dead        connections are refused; how=silent: never answered
  certificate new connections see an expired one; is=self-signed ...
  clock       the CSE's clock is ahead: by=1h; behind: by=-1h
share=0.1 takes one request in ten, after=3 begins with the third, times=2
ends after two; for=30s ends the rule by the clock of the CSE. * in a path is
any text; without one, the path stands for everything below it too.

Whoever starts it in a container asks the health port: GET /live answers 200
once it listens, GET /ready once all have started and are registered. Each
option is also a variable: --health-port is CSELAB_UP_HEALTH_PORT, and --https
is meant by CSELAB_UP_HTTPS=1. The command line wins.

The admin port listens on 127.0.0.1 and wants its token, which is told at the
start: "Authorization: Bearer <token>". POST /reset, GET /snapshot,
PUT /restore, GET /sent, GET, PUT and DELETE /breakage, and with
--manual-clock POST /clock/advance {"by": "1h"}.

Examples:
  cselab up                                a gateway and a backend, plain HTTP
  cselab up --https --require-cert         mutual TLS, certificates of certs/
  cselab up --gateways 3 --port 0          three gateways at one backend
  cselab up --no-backend --tree fixtures/trees/building.yaml
  cselab up --tree meters --traffic fixtures/traffic/meters.yaml
  cselab up --gateway my-gateway.json --no-backend
  cselab up --register-at http://backend:18000 --own-url http://me:8000
  cselab up --dialect onem2m --port 8080   the standard's own HTTP binding
  cselab up --dialect onem2m --admin-port 8081 --manual-clock
  cselab up --console                      what happens, on a page
  cselab up --as acme                      what ACME is known to do differently
  cselab up --list-deviations notification     what can be wrong with those
  cselab up --deviation ae.rr.missing          wrong in just that way
  cselab up --latency 200ms --jitter 50ms --break 'drop POST share=10%'`;

const commas = (text: string, former: string[] = []): string[] => [...former, ...text.split(',')];

const each = (text: string, former: string[] = []): string[] => [...former, text];

type WholeNumber = (text: string) => number;

/** A number alone is meant in seconds. */
function seconds(text: string): number {
  try {
    return /^\d+$/.test(text) ? Number(text) : Math.ceil(millisecondsOf(text) / 1000);
  } catch {
    throw new InvalidArgumentError('Write 90s, 30m, 1h or 2d.');
  }
}

/** By the headings of the help. */
const groups = (wholeNumber: WholeNumber): Readonly<Record<string, readonly Option[]>> => ({
  'What is started:': [
    option('--gateway <file>', 'configuration file of the gateway'),
    option('--no-gateway', 'the backend alone'),
    option('--backend <file>', 'configuration file of the backend'),
    option('--no-backend', 'the gateway alone; it registers only where a file of yours or --register-at says so'),
    option('--gateways <number>', 'gateways registered at the backend', wholeNumber).default(1),
    option('--register-at <url>', 'a backend that runs elsewhere, instead of one here'),
    option('--tree <file>', 'resources for the (first) gateway to begin with: a YAML file, or building, fleet, meters'),
    option('--traffic <file>', 'YAML file of simulated devices that push values into it over time'),
  ],
  'Where they listen:': [
    option('--port <number>', 'port of the (first) gateway, 0 for a free one (default: 8000)', wholeNumber),
    option('--backend-port <number>', 'port of the backend (default: 18000, or 0 with --port 0)', wholeNumber),
    option('--interface <address>', 'address to listen on; :: takes IPv4 and IPv6 (default: 127.0.0.1)'),
    option('--own-url <url>', 'how others reach the gateway, or a backend alone (default: where it listens)'),
    option('--health-port <number>', 'port that says whether all is ready, 0 for a free one', wholeNumber),
    option('--https', 'HTTPS at both'),
    option('--require-cert', 'clients must present a certificate'),
    option('--certs <dir>', 'certificates that `cselab certs make` has made (default: those of certs/)'),
  ],
  'How they speak, and what they permit:': [
    new Option('--dialect <name>', 'how they speak (default: documented)').choices(['documented', 'onem2m']),
    option('--base <name>', 'name of the CSE base of the gateway (default: onem2m)'),
    option('--cse-id <id>', 'CSE identifier of the gateway (default: mn-cse-1)'),
    option('--sp-id <id>', 'service provider identifier (default: openmtc.org)'),
    option('--admin <id>', 'originator that may do everything (default in the onem2m dialect: CAdmin)'),
    option('--registrars <patterns>', 'originators that may register (default in the onem2m dialect: C*,S*)'),
    option('--release <list>', 'supported releases (default in the onem2m dialect: 2a,3,4,5)'),
    option('--access-control', 'access control policies are looked at (default in the onem2m dialect)'),
    option('--no-access-control', 'everybody may do everything'),
    option('--limit <name=number>', 'a limit that is not the default, such as subscriptions=10; repeatable', each),
    option(
      '--cors <origin>',
      'pages of this origin may use them, such as http://localhost:5173; repeatable, or *',
      commas,
    ),
    option(
      '--notify-deny <network>',
      'nothing is sent there: private, or 10.0.0.0/8; repeatable, or with commas',
      commas,
    ),
    option('--lifetime <duration>', 'lifetime of resources that ask for none, such as 30m (default: 2000s)', seconds),
    option('--longest-lifetime <duration>', 'longest lifetime of resources', seconds),
    option('--keep-expired', 'resources stay when their time is over, as at deployed CSEs that only show it'),
  ],
  'Wrong on purpose:': [
    option(
      '--as <product>',
      'a single CSE that differs as that product does: acme, tinyiot, mobius, openmtc, or the file that cselab profile wrote',
    ),
    option(
      '--deviation <id|file>',
      'break a requirement, or what a file of rows says; repeatable, or with commas',
      commas,
    ),
    option('--list-deviations [text]', 'list what --deviation can name, and end; with --as what differs there'),
    new Option('--fault <id>').argParser(commas).hideHelp(),
    new Option('--list-faults [text]').hideHelp(),
    option('--latency <duration>', 'every answer comes later by this, such as 200ms'),
    option('--jitter <duration>', 'more or less by up to this, by chance'),
    option('--break <rule>', "break connections by a rule, such as 'drop POST share=10%'; repeatable", each),
    option('--seed <number>', 'seed of what is left to chance in this (default: 1)', wholeNumber),
  ],
  'To look at:': [
    new Option('--log <form>', 'how it tells what happens (default: live on a terminal, else plain)').choices([
      'live',
      'plain',
      'json',
    ]),
    option(
      '--console [port]',
      'a page with trees, traffic, deviations and the clock, on 127.0.0.1 (default: a free port)',
      wholeNumber,
    ),
  ],
  'For tests:': [
    option(
      '--admin-port <number>',
      'port for tests to reset and look into the first CSE, 0 for a free one',
      wholeNumber,
    ),
    option('--admin-token <text>', 'token of the admin port (default: one that is made up and told)'),
    option('--manual-clock', 'time stands still until the admin port or the console advances it'),
  ],
});

function option<Value>(flags: string, says: string, parse?: (text: string, former?: Value) => Value): Option {
  const made = new Option(flags, says);
  return parse === undefined ? made : made.argParser(parse);
}

export function define(command: Command, wholeNumber: WholeNumber): void {
  command.description('start a gateway CSE and a backend CSE to play with; ends on SIGTERM or Ctrl-C');
  for (const [heading, options] of Object.entries(groups(wholeNumber))) {
    command.optionsGroup(heading);
    for (const one of options) command.addOption(one);
  }
  command
    .optionsGroup('Options:')
    .option('-v, --verbose', 'a line for each request, and every note on the files')
    .addHelpText('after', examples)
    .hook('preAction', () => readEnvironment(command))
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./up/run.ts');
      await runUp(options);
    });
}

// The options of `cselab up` as variables of the environment, which is how containers are told things.

const yes: ReadonlySet<string> = new Set(['1', 'true', 'yes']);

/**
 * Every option takes its value from `CSELAB_UP_` and its name, such as `CSELAB_UP_HEALTH_PORT`, where the command line does not
 * say it; an option without a value is meant by 1, true or yes. An empty variable says nothing. Before the action of the command.
 */
export function readEnvironment(command: Command, environment: NodeJS.ProcessEnv = process.env): void {
  const said = command.options.filter((option) => isSaid(command, option));
  for (const option of command.options) {
    const value = environment[variableOf(option)] ?? '';
    const flag = takesValue(option) ? `${option.long}=${value}` : `${option.long}`;
    if (!said.includes(option) && says(option, value)) command.parseOptions([flag]);
  }
}

/** `--backend` and `--no-backend` say the same thing. */
function isSaid(command: Command, option: Option): boolean {
  const source = command.getOptionValueSource(option.attributeName());
  return source !== undefined && source !== 'default';
}

function variableOf({ long }: Option): string {
  return `CSELAB_UP_${(long ?? '').replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`;
}

function says(option: Option, value: string): boolean {
  return takesValue(option) ? value !== '' : yes.has(value.toLowerCase());
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

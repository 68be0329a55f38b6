/** `cselab up`: a gateway and a backend to play with. Loads the CSE only when it runs. */
import type { Command, Option } from 'commander';
import { command } from '../command-line/flag.ts';
import { flags } from './options.ts';

const examples = `
Without files it starts what fixtures/config-gateway.json and
fixtures/config-backend.json describe. In the onem2m dialect it starts one CSE
without files, cse-in with the identifier id-in; with --backend-port a gateway
cse-mn (id-mn) that is registered at it. The last line of its output is
"ready", the URL of the first gateway, and that of the backend.

Deviations and disturbances apply to each gateway, or to a backend alone.
A rule of --break is 'EFFECT [METHOD] [PATH] [key=value...]':
  latency     delays the answer: by=200ms, from=100ms to=300ms, or
              long-tailed: median=50ms p99=2s
  throttle    sends its body slowly: rate=BYTES, a second
  drop        closes the connection before the answer; the request is performed
              or not: lost=answer (default), lost=request
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

For containers there is the health port: GET /live answers 200 once it listens,
GET /ready once all have started and are registered, and GET /metrics has
metrics for Prometheus. Each option is also a variable of the environment:
CSELAB_UP_HEALTH_PORT for --health-port, CSELAB_UP_HTTPS=1 for --https. The
command line wins.

The admin port listens on 127.0.0.1 and needs its token, which is printed at
the start: "Authorization: Bearer <token>". POST /reset, GET /snapshot,
PUT /restore, GET /sent, GET, PUT and DELETE /disturbances, and with
--manual-clock POST /clock/advance {"by": "1h"}.

Examples:
  cselab up                                a gateway and a backend, plain HTTP
  cselab up --https --require-cert         mutual TLS, certificates of certs/
  cselab up --gateways 3 --port 0          three gateways at one backend
  cselab up --no-backend --tree building
  cselab up --tree meters --workload meters
  cselab up --gateway my-gateway.json --no-backend
  cselab up --register-at http://backend:18000 --own-url http://me:8000
  cselab up --dialect onem2m --port 8080   the standard's own HTTP binding
  cselab up --dialect onem2m --admin-port 8081 --manual-clock
  cselab up --console                      a page to watch and control it
  cselab up --as acme                      with the known deviations of ACME
  cselab up --list-deviations notification     deviations of notifications
  cselab up --deviation ae.rr.missing          with just this deviation
  cselab up --latency 200ms --jitter 50ms --break 'drop POST share=10%'`;

export const define = command({
  help: 'start a gateway CSE and a backend CSE to play with; ends on SIGTERM or Ctrl-C',
  flags,
  examples,
  before: (command) => readEnvironment(command),
  async run(options) {
    const { runUp } = await import('./run.ts');
    await runUp(options);
  },
});

// The options of `cselab up` as variables of the environment, for containers.

const yes: ReadonlySet<string> = new Set(['1', 'true', 'yes']);

/**
 * Every option that is not on the command line takes its value from `CSELAB_UP_` and its name, such as `CSELAB_UP_HEALTH_PORT`;
 * an option without a value is set by 1, true or yes. An empty variable is ignored. Before the action of the command.
 */
export function readEnvironment(command: Command, environment: NodeJS.ProcessEnv = process.env): void {
  const given = command.options.filter((option) => isSet(command, option));
  for (const option of command.options) {
    const value = environment[variableOf(option)] ?? '';
    const flag = takesValue(option) ? `${option.long}=${value}` : `${option.long}`;
    if (!given.includes(option) && isMeant(option, value)) command.parseOptions([flag]);
  }
}

/** `--backend` and `--no-backend` set the same value. */
function isSet(command: Command, option: Option): boolean {
  const source = command.getOptionValueSource(option.attributeName());
  return source !== undefined && source !== 'default';
}

function variableOf({ long }: Option): string {
  return `CSELAB_UP_${(long ?? '').replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`;
}

function isMeant(option: Option, value: string): boolean {
  return takesValue(option) ? value !== '' : yes.has(value.toLowerCase());
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

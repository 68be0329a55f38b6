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
once it listens, GET /ready once all have started and are registered, and
GET /metrics what Prometheus reads. Each option is also a variable:
--health-port is CSELAB_UP_HEALTH_PORT, and --https is meant by
CSELAB_UP_HTTPS=1. The command line wins.

The admin port listens on 127.0.0.1 and wants its token, which is told at the
start: "Authorization: Bearer <token>". POST /reset, GET /snapshot,
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
  cselab up --console                      what happens, on a page
  cselab up --as acme                      what ACME is known to do differently
  cselab up --list-deviations notification     what can be wrong with those
  cselab up --deviation ae.rr.missing          wrong in just that way
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

// The options of `cselab up` as variables of the environment, which is how containers are told things.

const yes: ReadonlySet<string> = new Set(['1', 'true', 'yes']);

/**
 * Every option takes its value from `CSELAB_UP_` and its name, such as `CSELAB_UP_HEALTH_PORT`, where the command line does not
 * say it; an option without a value is meant by 1, true or yes. An empty variable says nothing. Before the action of the command.
 */
export function readEnvironment(command: Command, environment: NodeJS.ProcessEnv = process.env): void {
  const said = command.options.filter((option) => isSet(command, option));
  for (const option of command.options) {
    const value = environment[variableOf(option)] ?? '';
    const flag = takesValue(option) ? `${option.long}=${value}` : `${option.long}`;
    if (!said.includes(option) && isMeant(option, value)) command.parseOptions([flag]);
  }
}

/** `--backend` and `--no-backend` say the same thing. */
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

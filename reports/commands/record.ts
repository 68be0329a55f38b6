/** `cselab record`: a proxy that records what passes through it as a scenario file. */

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { RecordOptions } from '../../scenarios/index.ts';
import { record } from '../../scenarios/recording/record.ts';
import { UsageError } from '../../scenarios/words.ts';
import { command, port, time, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { counted } from '../facts/wording.ts';
import { maskedTarget, maskOutput } from '../flags/masked-streams.ts';
import { targetFlags } from '../flags/target-flags.ts';
import { print, say } from '../writing/output-file.ts';
import { interruptible } from '../writing/progress.ts';

const flags = {
  ...targetFlags,
  'The proxy, and what it writes:': {
    port: port('port of the proxy, 0 for a free one; at an MQTT server there is none'),
    interface: valued('<address>', 'where the proxy listens').or('127.0.0.1'),
    out: valued('<file>', 'the scenario file').or('recorded.yaml'),
    force: toggle('replace the file if it exists'),
    judge: toggle('check what passes by every rule that applies, and report violations at once'),
    alone: toggle('with --judge: nobody else changes anything at the target meanwhile'),
    listenCert: valued('<file>', 'certificate of the proxy, PEM; it then speaks HTTPS'),
    listenKey: valued('<file>', 'its private key'),
    listenCa: valued('<file>', 'demand client certificates that this chain verifies'),
    timeout: time('for one request').or(10_000, '10s'),
    duration: time('how long is recorded (default: until Ctrl-C)'),
  },
};

type RecordFlags = ValuesOf<typeof flags>;

const examples = `
Point an application at the proxy instead of the gateway, let it do its work, and stop the proxy with Ctrl-C. The file names
what differs from run to run; add the checks that it is about, then \`cselab check FILE\` replays it. Secrets are left out.
Over WebSocket, the proxy hands messages on both ways in the subprotocol that the target chooses; over CoAP, datagrams. At the URL of an
MQTT server all that others ask of the CSE is heard and written down, and nothing is published. What is notified there in primitives, or
over the WebSocket that the application has opened, is written down, too; over CoAP, and at a ws URL, it goes past the proxy.
What the application is notified at an http URL in its requests (poa, nu) comes by way of the recorder, and is written down too;
--inbox-host names this machine as the target reaches it, where that is another.

Examples:
  cselab record --url http://gw:8000 --port 9000 --out first.yaml
  cselab record --target acme --port 9000 --out first.yaml
  cselab record --url ws://gw:9002 --port 9000 --out first.yaml
  cselab record --url coap://gw:5683 --port 5684 --out first.yaml
  cselab record --url mqtt://gw:1883 --cse-id id-in --duration 10m --out first.yaml
  cselab record --url https://gw:8000 --cacert ca.pem --cert ae.pem --key ae.key --port 9000 --out first.yaml \\
                --listen-cert proxy.pem --listen-key proxy.key`;

export const define = command({
  help: 'pass requests on to a CSE, and write what passed as a scenario file',
  flags,
  examples,
  async run(flags) {
    const { out } = flags;
    const options = optionsOf(flags);
    let recorded = 0;
    const found = new Set<string>();
    const recorder = await record({
      ...options,
      onLost: say,
      ...(flags.judge && { judge: judgeOptions(flags, found) }),
      onRecorded(count, { request: { method, path }, answer: { status } }) {
        recorded = count;
        say(`${method} ${path} ${status}`);
      },
    });
    print(`recording ${options.target.url} at ${recorder.url} to ${out}; Ctrl-C ends it`);
    if (!recorder.notifies) say(`notifications are not recorded; ${bypassHint(recorder.url)}`);
    await interruptible((signal) =>
      flags.duration === undefined ? once(signal, 'abort') : waitFor(flags.duration, signal),
    );
    await recorder.close();
    print(`${counted(recorded, 'request')} in ${out}`);
    return found.size > 0 ? 1 : 0;
  },
});

const bypassHint = (url: string): string =>
  /^coap/i.test(url)
    ? 'over CoAP they go to the application past the proxy'
    : '--inbox-host names this machine as the target reaches it';

function optionsOf(flags: RecordFlags) {
  const redactor = maskOutput([]);
  const { target, dialect } = maskedTarget(flags, redactor);
  const { out, port = 0, timeout, interface: address, force } = flags;
  if (target.kind !== 'url') throw new UsageError('record needs a target: give --url or --target');
  const isMqtt = /^mqtts?:/i.test(target.url);
  if (/^coap/i.test(target.url) && flags.listenCert !== undefined)
    throw new UsageError('--listen-cert is for a proxy that speaks TLS; CoAP is spoken without DTLS');
  if (isMqtt && (flags.judge || port > 0))
    throw new UsageError('an MQTT server is listened to, without --port; cselab judge with its URL checks what passes');
  if (!isMqtt && flags.port === undefined) throw new UsageError('record needs --port, at which its proxy listens');
  if (existsSync(out) && force !== true) throw new UsageError(`${out} exists; --force replaces it`);
  return { target: { ...target, dialect }, out, port, timeout, address, redactor, ...listeningTls(flags) };
}

/** Resolves after these milliseconds, or at the signal. */
const waitFor = (duration: number, signal: AbortSignal): Promise<unknown> =>
  setTimeout(duration, undefined, { signal }).catch(() => {});

/** Collects the violated requirements, and reports each violation at once. */
function judgeOptions({ alone }: RecordFlags, found: Set<string>): NonNullable<RecordOptions['judge']> {
  return {
    isAlone: alone === true,
    onFound({ requirement, expected, actual }, { method, path }) {
      found.add(requirement);
      say(`${requirement} is violated by ${method} ${path}: expected ${expected.join(', or ')}; ${actual}`);
    },
  };
}

function listeningTls({ listenCert, listenKey, listenCa }: RecordFlags): Pick<RecordOptions, 'tls'> {
  if (listenCert === undefined && listenKey === undefined) {
    if (listenCa !== undefined) throw new UsageError('--listen-ca goes with --listen-cert and --listen-key');
    return {};
  }
  if (listenCert === undefined || listenKey === undefined) {
    throw new UsageError('--listen-cert and --listen-key go together');
  }
  const ca = listenCa === undefined ? {} : { ca: textOf(listenCa) };
  return { tls: { cert: textOf(listenCert), key: textOf(listenKey), ...ca } };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

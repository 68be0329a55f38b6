/** `cselab record`: a proxy that turns what passes through it into a scenario file. */
import { command, type GivenIn, number, time, toggle, valued } from './flag.ts';
import { targetFlags } from './target-flags.ts';

const flags = {
  ...targetFlags,
  'The proxy, and what it writes:': {
    port: number('port of the proxy, 0 for a free one').mandatory(),
    interface: valued('<address>', 'where the proxy listens').or('127.0.0.1'),
    out: valued('<file>', 'the scenario file').or('recorded.yaml'),
    force: toggle('replace the file if it exists'),
    judge: toggle('judge what passes by every rule that applies, and tell at once what the target breaks'),
    alone: toggle('with --judge: nobody else changes anything at the target meanwhile'),
    listenCert: valued('<file>', 'certificate of the proxy, PEM; it then speaks HTTPS'),
    listenKey: valued('<file>', 'its private key'),
    listenCa: valued('<file>', 'demand client certificates that this chain verifies'),
    timeout: time('for one request').or(10_000, '10s'),
  },
};

export type RecordFlags = GivenIn<typeof flags>;

const examples = `
Point an application at the proxy instead of the gateway, let it do its work, and stop the proxy with Ctrl-C. The file names
what differs from run to run; add the checks that it is about, then \`cselab check FILE\` replays it. Secrets are left out.
What the application is notified at an http URL in its requests (poa, nu) comes by way of the recorder, and is written down too;
--inbox-host names this machine as the target reaches it, where that is another.

Examples:
  cselab record --url http://gw:8000 --port 9000 --out first.yaml
  cselab record --target acme --port 9000 --out first.yaml
  cselab record --url https://gw:8000 --cacert ca.pem --cert ae.pem --key ae.key --port 9000 --out first.yaml \\
                --listen-cert proxy.pem --listen-key proxy.key`;

export const addRecordCommand = command({
  name: 'record',
  summary: 'write down what an application sends as a scenario file',
  says: 'pass requests on to a CSE, and write what passed as a scenario file',
  flags,
  examples,
  run: async (given) => (await import('../run-record.ts')).runRecord(given),
});

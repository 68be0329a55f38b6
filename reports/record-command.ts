/** `cselab record`: a proxy that turns what passes through it into a scenario file. */
import { type Command, Option } from 'commander';
import { addTargetFlags, type FlagParsers, type TargetFlags } from './target-flags.ts';

export interface RecordFlags extends TargetFlags {
  port: number;
  interface: string;
  out: string;
  listenCert?: string;
  listenKey?: string;
  listenCa?: string;
  timeout: number;
  force?: true;
  judge?: true;
  alone?: true;
}

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

export function addRecordCommand(program: Command, parsers: FlagParsers): void {
  const command = program
    .command('record')
    .summary('write down what an application sends as a scenario file')
    .description('pass requests on to a CSE, and write what passed as a scenario file');
  addTargetFlags(command, parsers)
    .optionsGroup('The proxy, and what it writes:')
    .requiredOption('--port <number>', 'port of the proxy, 0 for a free one', parsers.wholeNumber)
    .option('--interface <address>', 'where the proxy listens', '127.0.0.1')
    .option('--out <file>', 'the scenario file', 'recorded.yaml')
    .option('--force', 'replace the file if it exists')
    .option('--judge', 'judge what passes by every rule that applies, and tell at once what the target breaks')
    .option('--alone', 'with --judge: nobody else changes anything at the target meanwhile')
    .option('--listen-cert <file>', 'certificate of the proxy, PEM; it then speaks HTTPS')
    .option('--listen-key <file>', 'its private key')
    .option('--listen-ca <file>', 'demand client certificates that this chain verifies')
    .addOption(new Option('--timeout <duration>', 'for one request').argParser(parsers.duration).default(10_000, '10s'))
    .addHelpText('after', examples)
    .action(async (flags: RecordFlags) => {
      const { runRecord } = await import('./run-record.ts');
      await runRecord(flags);
    });
}

/** `cselab judge`: checks recorded traffic, or what passes an MQTT server; sends nothing. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { judgeReport, judgeTraffic } from '../../scenarios/traffic/judge-traffic.ts';
import { defined, dialects, UsageError } from '../../scenarios/words.ts';
import { command, time, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { baseline, reportFlags, verbose } from '../flags/common-flags.ts';
import { maskOutput } from '../flags/masked-streams.ts';
import { readReport } from '../formats/read-report.ts';
import { reportEvents, reportRun } from '../formats/reporter.ts';
import { say } from '../writing/output-file.ts';
import { endedAfter, interruptible } from '../writing/progress.ts';

const flags = {
  'The CSE:': {
    dialect: valued('<name>', 'how the CSE speaks: by the interface specification, or by oneM2M TS-0009')
      .of(dialects)
      .or('documented'),
    url: valued('<url>', 'where it is; exchanges with others are left out (default: the only one in the file)'),
    base: valued('<name>', 'name of its CSE base (default: what it answers, else onem2m, or cse-in)'),
    cseId: valued('<id>', 'its CSE identifier (default: what it answers, else mn-cse-1, or id-in)'),
    spId: valued('<id>', 'its service provider identifier (default: openmtc.org)'),
    duration: time('at an MQTT server: how long it is listened to (default: until Ctrl-C)'),
    alone: toggle('nobody else changed anything at the CSE meanwhile: what came before counts'),
  },
  'Output:': { baseline, ...reportFlags, verbose: verbose('every requirement and reason') },
};

type JudgeFlags = ValuesOf<typeof flags>;

const examples = `
A file holds what others sent to one CSE, and what it answered: lines of JSON as the journal of a CSE of cselab writes them
(JSON.stringify(entry) of each of cse.requests), a list of the same, an HTTP Archive (.har) as browsers and proxies write it, a
packet capture (pcap, pcapng) of HTTP, MQTT, WebSocket or CoAP without TLS, or a JSON report of cselab itself. Each exchange is checked by every rule that applies, with what earlier exchanges made certain.
So are the notifications that the CSE sent, by the subscription that they name, where the recording shows its creation. How many came
is checked if nothing passed for five seconds after their cause.
What is uncertain is not checked: exchanges concurrent with a write that may concern them, those without a readable
answer, and, unless the CSE itself wrote all of it down or --alone says so, what others may have changed meanwhile.
At the URL of an MQTT server everything is heard that others publish there, until Ctrl-C or for --duration, and then checked; nothing is
published. With several CSEs at the server, its path names one by its CSE-ID.
Exit codes: 0 no deviation in what was checked, 1 a deviation, 2 usage or a file that cannot be used, 4 nothing was checked.

Examples:
  cselab judge journal.ndjson
  cselab judge --dialect onem2m --alone session.har
  cselab judge --dialect onem2m --url mqtt://10.0.0.5:1883/id-in capture.pcapng
  ssh gateway cat traffic.ndjson | cselab judge -
  cselab judge mqtt://127.0.0.1/id-in --duration 10m
  cselab judge journal.ndjson --report terminal --report html --out my-reports`;

export const define = command({
  help: 'check recorded traffic by every rule that applies, and send nothing',
  args: [
    [
      '<files...>',
      'recordings: journal (NDJSON), HTTP Archive, packet capture, or JSON report; - is stdin; or the URL of an MQTT server',
    ],
  ],
  flags,
  examples,
  async run(files, flags) {
    const redactor = maskOutput(flags.secret ?? []);
    const [first = ''] = files;
    if (files.some(isReport)) {
      if (files.length > 1) throw new UsageError('a JSON report is checked alone');
      return reportRun(flags, async () => judgeReport(readReport(first)));
    }
    const { base, cseId, spId, alone: isAlone, baseline } = flags;
    const listening = files.some(isServer) ? listenOptions(files, flags) : undefined;
    const { dialect, url } = listening ?? flags;
    if (url !== undefined && !(URL.canParse(url) && /^(https?|wss?|mqtts?|coap):/.test(url)))
      throw new UsageError(`--url is such as http://127.0.0.1:8000, not "${url}"`);
    const options = {
      ...{ files, dialect, secrets: redactor.secrets },
      ...defined({ url, base, cseId, spId, isAlone }),
      ...(baseline !== undefined && { baseline: { file: baseline } }),
    };
    const run = (signal: AbortSignal) =>
      judgeTraffic({ ...options, ...(listening === undefined ? { signal } : { listening: listening.within(signal) }) });
    return reportRun(flags, (reporters) => interruptible((signal) => reportEvents(run(signal), reporters)));
  },
});

/** The documented interface is HTTP alone. Ctrl-C ends the listening; what was heard is still checked. */
function listenOptions([server = '', ...others]: readonly string[], { duration, url }: JudgeFlags) {
  if (others.length > 0) throw new UsageError('an MQTT server is listened to alone');
  if (!URL.canParse(server)) throw new UsageError(`"${server}" is no URL of an MQTT server`);
  const { protocol, host, pathname } = new URL(server);
  const cseUrl = pathname.length > 1 ? `${protocol}//${host}${pathname}` : undefined;
  const within = (signal: AbortSignal) => ({
    until: duration === undefined ? signal : endedAfter(duration, signal),
    onReady: () => say(`listening at ${protocol}//${host}; Ctrl-C ends it`),
  });
  return { dialect: 'onem2m', url: url ?? cseUrl, within } as const;
}

const isServer = (file: string): boolean => /^mqtts?:\/\//i.test(file);

/** Whether a file begins like a report of ours. */
function isReport(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  const file = openSync(path, 'r');
  const beginning = Buffer.alloc(200);
  readSync(file, beginning);
  closeSync(file);
  return /^\s*\{\s*"\$schema"\s*:\s*"urn:cselab:report/.test(beginning.toString('utf8'));
}

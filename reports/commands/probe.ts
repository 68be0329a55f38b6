/** `cselab probe`: finds out how a CSE is reached, its dialect and features, and writes its target file. */

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Dialect, Finding, Paces, ProbeResult, Redactor, TargetChoice } from '../../scenarios/index.ts';
import { topics as probeTopics } from '../../scenarios/probe/finding.ts';
import { probe } from '../../scenarios/probe/probe.ts';
import { targetFileText } from '../../scenarios/probe/target-file-text.ts';
import { withSecretsLearnt } from '../../scenarios/results.ts';
import { defined, UsageError } from '../../scenarios/words.ts';
import { command, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { blank, type Content, prose } from '../document/model.ts';
import { deathFacts } from '../facts/run-facts.ts';
import { counted, durationText, visibleText } from '../facts/wording.ts';
import { json, restartCommand, timeout } from '../flags/common-flags.ts';
import { maskedTarget, maskOutput } from '../flags/masked-streams.ts';
import { ledger, ledgersOf, politenessFlags, restartOf, risky } from '../flags/safety-flags.ts';
import { reachFlags } from '../flags/target-flags.ts';
import { printContent } from '../formats/reporting.ts';
import { io } from '../writing/io.ts';
import { printJson, say, writeWhole } from '../writing/output-file.ts';
import { interruptible } from '../writing/progress.ts';

const flags = {
  '': {
    write: toggle('create a small subtree as well, to see what is accepted; it is removed again'),
    out: valued('<file>', 'write a target file'),
    force: toggle('replace the file if it exists'),
    json,
    ledger: ledger('where --write writes down what it creates'),
    restartCommand,
    risky,
  },
  ...politenessFlags({ timeout: timeout.withHelp('for one request (default: 5s)') }),
  ...reachFlags({
    target: valued('<file>', 'a file that describes how it is reached, and what is to be respected; flags win'),
    base: valued('<name>', 'name of its CSE base, where it is known'),
    cseId: valued('<id>', 'its CSE identifier, where it is known; over MQTT requests need it'),
    spId: valued('<id>', 'its service provider identifier, where it is known'),
    originator: valued('<id>', 'the only originator of requests (default with a certificate: its identifier)'),
    release: valued('<release>', 'release of oneM2M that requests name (default: 3)'),
  }),
};

type ProbeFlags = ValuesOf<typeof flags>;

const examples = `
It asks about 30 times at most, ten times a second at most, and only reads, unless --write is given: then it creates one
application entity of its own with a few resources below it, and removes all of it again. What that is it writes down before,
so that cselab cleanup finds what a probe left that was killed.
What it writes begins with the target file that is shipped for the product that it recognises; what it saw wins.
Exit codes: 0 found, 2 usage, 3 not reachable, or it died, 4 it answers, but not as a CSE whose base can be found, 130 interrupted.

Examples:
  cselab probe http://127.0.0.1:8000                               what it is, with the evidence
  cselab probe https://gw:8000 --cacert chain.pem --out gw.yaml    and a target file for cselab check --target gw.yaml
  cselab probe http://gw:8080 --write --json                       more of what it can do, as JSON`;

export const define = command({
  help: 'find out which dialect, names and features a CSE has, and write its target file',
  args: [['[url]', 'the CSE, such as http://127.0.0.1:8000; that of --target when absent']],
  flags,
  examples,
  async run(url, flags) {
    const { out, force, write = false } = flags;
    if (out !== undefined && !force && existsSync(out)) {
      throw new UsageError(`${out} is there already; --force writes over it`);
    }
    const redactor = maskOutput([]);
    const { choice, paces } = choiceOf(url, flags, redactor);
    const options = {
      ...(write && { write, ledger: ledgersOf(flags.ledger), secrets: redactor.secrets }),
      ...defined({ timeout: paces.timeout }),
      ...restartOf(flags),
    };
    const result = await interruptible(
      (signal) => probe(choice, { ...options, signal }),
      () => {
        if (write) say('stopped; cselab cleanup removes what may be left');
      },
    );
    printResult(result, flags);
    if (out !== undefined) await writeTarget(out, result, { choice, paces, redactor });
    return exitCodes[result.deaths !== undefined && result.outcome === 'found' ? 'unreachable' : result.outcome];
  },
});

const exitCodes: Readonly<Record<ProbeResult['outcome'], number>> = {
  found: 0,
  unreachable: 3,
  'no cse': 4,
  interrupted: 130,
};

type UrlChoice = Extract<TargetChoice, { kind: 'url' }> & { readonly dialect: Dialect };

/** Finds out whatever is not given. Values that a target file takes from the environment are never printed. */
function choiceOf(url: string | undefined, flags: ProbeFlags, redactor: Redactor): { choice: UrlChoice; paces: Paces } {
  const { target, dialect, jobs, timeout } = maskedTarget({ ...flags, ...defined({ url }) }, redactor);
  if (target.kind !== 'url') throw new UsageError('a URL is needed, such as http://127.0.0.1:8000, or --target');
  return { choice: { ...withSecretsLearnt(target, redactor), dialect }, paces: defined({ jobs, timeout }) };
}

function printResult(result: ProbeResult, { json }: ProbeFlags): void {
  if (json) printJson(result);
  else printContent(probeBlocks(result), { color: false }, 120);
  if (result.outcome !== 'found') say(result.says);
  for (const { says, lines, curl } of deathFacts(result)) {
    say(`${says}; ${lines.at(-1)}`);
    for (const line of curl) io().stderr.write(`${visibleText(line)}\n`);
  }
  const remedy = `it expires by itself where the target sees to that, and cselab cleanup --run ${result.run} tries again`;
  say(...result.leftBehind.map((path) => `${path} could not be removed; ${remedy}`));
}

async function writeTarget(
  out: string,
  result: ProbeResult,
  context: { choice: UrlChoice; paces: Paces; redactor: Redactor },
): Promise<void> {
  const { target, outcome } = result;
  if (target === undefined || outcome !== 'found') return say(`${out} was not written`);
  const directory = dirname(resolve(out));
  const date = new Date().toISOString().slice(0, 10);
  await writeWhole(out, targetFileText({ ...result, target }, { ...context, directory, date }));
  say(`wrote ${out}; go on with cselab check --target ${out}`);
}

const headings: Readonly<Record<Finding['topic'], string>> = {
  identity: 'Who it is',
  speech: 'How it speaks',
  addresses: 'Addresses',
  originators: 'Originators',
  connection: 'Connection',
  implements: 'What it can do',
};

/** `?` marks what is unknown. */
const marks: Readonly<Record<Finding['found'], string>> = { yes: 'yes', no: 'no ', unknown: '?  ' };

/** The findings, each with request and response. */
function probeBlocks(result: ProbeResult): Content {
  const { url, says, findings, requests, took, wrote, leftBehind } = result;
  return [
    `${url}: ${says}`,
    probeTopics.map((topic) => {
      const own = findings.filter((finding) => finding.topic === topic);
      return own.length > 0 && [blank, headings[topic], own.map(findingBlocks)];
    }),
    blank,
    `${counted(requests, 'request')} in ${durationText(took)}; ${footer(wrote, leftBehind)}`,
  ];
}

function findingBlocks({ found, name, value, evidence, topic, id }: Finding): Content {
  const what = topic === 'implements' ? ` (${id})` : value === undefined || topic === 'originators' ? '' : `: ${value}`;
  return [prose(`${name}${what}`, `  ${marks[found]}  `), prose(evidence, ' '.repeat(9))];
}

function footer(wrote: boolean, leftBehind: readonly string[]): string {
  if (!wrote) return 'nothing was written to it';
  if (leftBehind.length === 0) return 'all that was created is removed again';
  return `could not be removed: ${leftBehind.join(', ')}`;
}

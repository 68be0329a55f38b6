/** The lines of a report are pasted into a shell, and the same deviation comes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sample } from '../../.ci/sample.ts';
import { resultOf } from '../../fixtures/testing/check-server.ts';
import { run } from '../../fixtures/testing/shared-command-line.ts';
import type { RunResult } from '../../scenarios/words.ts';
import { createCse, type HttpServer, serveHttp } from '../../sim/index.ts';
import { runDocument } from '../check/run-document.ts';
import { renderTerminal } from '../check/run-text.ts';
import { renderPage } from '../document/html.tsx';
import { renderJson } from '../formats/json-reporter.ts';
import { renderJunit } from '../formats/junit-reporter.ts';
import { renderMarkdown } from '../formats/markdown-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { indexEvidence } from './evidence.ts';
import { shellLines } from './shell-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-by-hand-'));
const deviations = ['ae.aei.missing', 'container.create.status.200', 'container.cni.one-behind', 'latest.oldest'];
const ids = ['ae.aei', 'container.create.status', 'container.cni.counts', 'latest.newest'];
const plain = { color: false, columns: 80, verbose: false };

let server: HttpServer;
let result: RunResult;
before(async () => {
  server = await serveHttp(createCse({ deviations }).http);
  result = await resultOf({ target: { kind: 'url', url: server.url }, ids, again: false });
  writeFileSync(join(folder, 'report.json'), renderJson(result));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

/** What bash prints when these lines are pasted. */
function pasted(lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', lines.join('\n').replaceAll('curl -i ', 'curl -q -s -i ')], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}

/** The last answer: status and body, without what is another in each run. */
function answerIn(output: string): string {
  const last = output.slice(output.lastIndexOf('HTTP/1.1 '));
  return settled(`${last.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)} ${last.split('\r\n\r\n')[1] ?? ''}`);
}

function settled(text: string): string {
  return text
    .replace(/\bC?cl-\w{7}-\d+/g, 'NAME')
    .replace(/"(ri|pi|aei|ct|lt|et|val)": ?"[^"]*"/g, '"$1":"…"')
    .replace(/(contentInstance|container)-\w{16}\b/g, 'ASSIGNED');
}

/** The lines in a rendered report that begin with the new name and end with the last request. */
function chainsIn(text: string): string[][] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, at) => {
    if (!line.startsWith('N=cl-')) return [];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((one) => !/^(D=|(printf .* \| )?curl )/.test(one));
    return [[line, ...rest.slice(0, end < 0 ? rest.length : end)]];
  });
}

const unescaped = (text: string) =>
  text
    .replace(/&(quot|#34);/g, '"')
    .replace(/&#(39|x27);/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

describe('lines to paste', () => {
  test('each failure comes again, from its chain of lines', async () => {
    const index = indexEvidence(result);
    const failures = result.requirements.flatMap(({ violations }) => index.at(violations));
    const chains = failures.map((failure) => ({ failure, lines: shellLines(result, failure) }));
    const pastable = chains.filter(({ lines }) => lines.some((line) => line.startsWith('curl')));
    assert.ok(pastable.length >= deviations.length, String(pastable.length));
    for (const { failure, lines } of sample(pastable, 5)) {
      const { answer } = failure.step.exchange ?? {};
      assert.equal(answerIn(await pasted(lines)), settled(`${answer?.status} ${answer?.body}`), lines.join('\n'));
    }
  });

  const forms: ReadonlyArray<readonly [name: string, text: () => string | Promise<string>]> = [
    ['the terminal', () => renderTerminal(result, plain)],
    ['JUnit', () => unescaped(renderJunit(result))],
    ['Markdown', () => renderMarkdown(result)],
    ['HTML', () => unescaped(unpack(renderPage(runDocument(result))).replace(/<\/?pre>/g, '\n'))],
    ['show', async () => (await run(['show', join(folder, 'report.json'), 'container.create.status'])).stdout],
  ];
  for (const [name, text] of forms) {
    test(`${name} prints lines that can be pasted as they stand`, async () => {
      const whole = await text();
      const chains = chainsIn(whole);
      assert.ok(chains.length > 0);
      const [first = []] = chains;
      const output = await pasted(first);
      assert.match(output, /^HTTP\/1\.1 20[01] /);
      const requests = first.filter((line) => line.includes('curl '));
      assert.equal(output.match(/HTTP\/1\.1 \d/g)?.length, requests.length);
      assert.doesNotMatch(output, /HTTP\/1\.1 [45]/);
      assert.doesNotMatch(whole, /# afterwards: curl -i (?!-X DELETE)/);
    });
  }
});

test('what needs an earlier answer, and a target that is gone, are reported by the command that replays them', async () => {
  const embedded = await resultOf({
    target: { kind: 'in-process', deviations },
    ids: ['container.create'],
    again: false,
  });
  const at = embedded.requirements.flatMap(({ violations }) => violations)[0];
  const [failure] = at ? indexEvidence(embedded).at([at]) : [];
  assert.ok(failure);
  assert.match(
    shellLines(embedded, failure).join(),
    /^cselab replay REPORT [0-9a-f]{7} # REPORT: what --report json wrote$/,
  );
});

for (const [form, et] of [
  ['the standard', '20261122T152006'],
  ['the interface specification', '2026-11-22T15:20:06.000000+00:00'],
]) {
  test(`an expiration time as ${form} writes it is ahead whenever the lines are pasted`, async () => {
    const index = indexEvidence(result);
    const at = result.requirements.flatMap(({ violations }) => violations)[0];
    const [failure] = at ? index.at([at]) : [];
    assert.ok(failure?.step.exchange);
    const exchange = { ...failure.step.exchange, curl: `curl -i --data-raw '{"m2m:ae":{"et":"${et}"}}' http://gw` };
    const step = { ...failure.step, exchange };
    const scenario = { ...failure.scenario, steps: [step] };
    const lines = shellLines({ ...result, startedAt: '2026-11-22T14:20:06.000Z' }, { ...failure, scenario, step });
    const output = await pasted(lines.map((line) => line.replace(/^curl/, 'echo')));
    const [, year, month, day, hour] = /"et":"(\d{4})-?(\d\d)-?(\d\d)T(\d\d)/.exec(output) ?? [];
    const ahead = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour) + 1) - Date.now();
    assert.ok(ahead > 0 && ahead < 3 * 3_600_000, output);
  });
}

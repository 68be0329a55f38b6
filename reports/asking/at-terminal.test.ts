import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { run } from '../testing/in-process.ts';
import { withIo } from '../writing/io.ts';
import { atTerminal } from './at-terminal.ts';

const steps = `feature: what is seen
scenarios:
  seen:
    title: A person sees it
    steps:
      - ask: What does the display show?
        answer: shown
      - ask: Which came with it?
        answer: shipped
        choice: [both, none]
        check:
          ssl.pre-shipped: { answer: both }
      - ask: Hand in the log.
        answer: log
        upload: file
        expect: either
`;

function folderOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-asked-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const place = (name: string, text?: string | Uint8Array) => {
    const path = join(folder, name);
    if (text !== undefined) writeFileSync(path, text);
    return path;
  };
  const file = place('own.yaml', steps);
  const out = place('out');
  const check = (...more: readonly string[]) => ['check', file, '--in-process', '--out', out, ...more];
  return { place, out, check };
}

/** Types these lines, one at each prompt. */
function typing(...lines: readonly string[]) {
  const left = [...lines];
  return (written: string) => (written === '> ' ? left.shift() : undefined);
}

const env = { USER: 'ana' };

test('at a terminal one question after the other is asked; what was answered is written for the next run, which asks nobody', async (t) => {
  const { place, out, check } = folderOf(t);
  const handed = place('gateway.LOG', 'it began\n');
  const types = typing('42', '3', 'blue', '1', '/nowhere/log', handed);
  const first = await run(check('--report', 'json'), { columns: 80, types, env });
  assert.equal(first.code, 0, first.stderr);
  assert.match(
    first.stderr,
    /own\/seen asks:\nWhich came with it\?\n {2}1 {2}both\n {2}2 {2}none\n {2}\? {2}cannot tell\n> /,
  );
  assert.match(first.stderr, /> "3" is none of both, none, cannot tell\n> "blue" is none/);
  assert.match(first.stderr, /> the file cannot be read: ENOENT[^\n]*\n> /);
  const [upload = ''] = readdirSync(join(out, 'uploads'));
  assert.match(upload, /^[0-9a-f]{64}\.log$/);
  assert.equal(readFileSync(join(out, 'uploads', upload), 'utf8'), 'it began\n');
  const written = readFileSync(join(out, 'answers.yaml'), 'utf8');
  assert.match(written, /^own\/seen:\n {2}shown:\n {4}answer: "42"\n {4}by: ana\n {4}at: 2/);
  const again = await run(check('--answers', join(out, 'answers.yaml'), '--report', 'json'));
  assert.equal(again.code, 0, again.stderr);
  const told = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  const asked = told.scenarios[0].steps.flatMap((step: { asked?: object }) => step.asked ?? []);
  assert.deepEqual(
    asked.map(({ answer, by, how }: Record<string, string>) => [answer, by, how]),
    [
      ['42', 'ana', 'beforehand'],
      ['both', 'ana', 'beforehand'],
      ['gateway.LOG', 'ana', 'beforehand'],
    ],
  );
  assert.deepEqual(asked[2].file, { size: 9, sha256: upload.slice(0, 64) });
});

/** Somebody at a terminal, without a run. */
function terminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  const stream = { isTTY: true, columns: 80, write: (text: string) => (shown += text) };
  const own = { stdin, stdout: stream, stderr: stream, env, on() {}, off() {}, exit() {} };
  return { stdin, stream, asker: withIo(own, () => atTerminal('out')), shown: () => shown };
}

const display = { scenario: 'own/seen', name: 'shown', text: 'What does the display show?' };

test('what is written while a question stands comes after the answer', async () => {
  const { stdin, stream, asker, shown } = terminal();
  const answered = asker.ask(display, new AbortController().signal);
  stream.write('3 of 4 scenarios');
  assert.ok(shown().endsWith('\n> '));
  stdin.write('42\n');
  assert.deepEqual([(await answered).answer, (await answered).by], ['42', 'ana']);
  assert.ok(shown().endsWith('\n> 3 of 4 scenarios'));
  asker.close();
});

test('a countdown tells the time that is left, and Enter ends it; nothing else is an answer to it', async () => {
  const { stdin, asker, shown } = terminal();
  const signal = new AbortController().signal;
  const ended = asker.ask({ ...display, name: '', text: 'It restarts', countdown: 90_000 }, signal);
  assert.match(shown(), /90 s left: It restarts \(Enter goes on\)$/);
  stdin.write('\n');
  const { by, answer } = await ended;
  assert.deepEqual([by, answer], ['ana', undefined]);
  asker.close();
});

test('who leaves, and a run that is interrupted, ends the waiting without an answer', async () => {
  const interrupted = terminal();
  const interruption = new AbortController();
  const waited = interrupted.asker.ask(display, interruption.signal);
  interruption.abort();
  assert.deepEqual(await waited, {});
  const left = terminal();
  const asked = left.asker.ask(display, new AbortController().signal);
  left.stdin.end();
  assert.deepEqual(await asked, {});
  assert.deepEqual(await left.asker.ask(display, new AbortController().signal), {});
});

test('without a terminal nobody is asked, and the run is inconclusive and says why', async (t) => {
  const { check, out } = folderOf(t);
  for (const screen of [{}, { columns: 80, types: typing('42'), env: { CI: 'true' } }]) {
    const { code, stderr } = await run(check('--report', 'json'), screen);
    assert.equal(code, 4);
    assert.match(stderr, /nobody answered: What does the display show\?/);
  }
  assert.equal(existsSync(join(out, 'answers.yaml')), false);
});

test('answers in a file are by scenario and name; what is none is refused at its place, and nothing is sent', async (t) => {
  const { place, check } = folderOf(t);
  const refused = async (text: string) => {
    const { code, stderr } = await run(check('--answers', place('answers.yaml', text)));
    assert.equal(code, 2, stderr);
    return stderr.replace(/^.*answers\.yaml:/, '').split('\n')[0];
  };
  assert.equal(await refused('own/sean: {}\n'), '1:1: there is no scenario "own/sean"; did you mean "own/seen"?');
  assert.equal(
    await refused('own/seen:\n  shiped: both\n'),
    '2:3: nothing in own/seen asks for "shiped"; did you mean "shipped"?',
  );
  assert.equal(await refused('own/seen:\n  shipped: all\n'), '2:12: "all" is none of both, none, cannot tell');
  assert.equal(await refused('own/seen:\n  log: it began\n'), '2:8: a file is needed');
  assert.match(
    (await refused('own/seen:\n  log: { file: none.log }\n')) ?? '',
    /^2:16: the file cannot be read: ENOENT/,
  );
  assert.equal(await refused('own/seen:\n  shown: { file: own.yaml }\n'), '2:3: no file is asked for');
  assert.equal(
    await refused('own/seen:\n  shown: { answer: x, bye: ana }\n'),
    '2:23: unknown key "bye"; did you mean "by"?',
  );
  place('large.log', new Uint8Array(4 * 1024 * 1024 + 1));
  assert.equal(await refused('own/seen:\n  log: { file: large.log }\n'), '2:16: a file has 4 MiB at most');
});

test('each of repeated questions is listed, and answered in a file by its position', async (t) => {
  const { place, out } = folderOf(t);
  const own = place(
    'each.yaml',
    `feature: ports
scenarios:
  seen:
    title: A person sees each
    steps:
      - each: { port: [8000, 8080] }
        steps:
          - ask: What stands at \${port}?
            answer: shown
            check: { ssl.pre-shipped: { answer: { one of: [AE, CSE] } } }
`,
  );
  const given = (text: string) => ['check', own, '--in-process', '--answers', place('answers.yaml', text)];
  assert.match(
    (await run(['check', own, '--list'])).stdout,
    /ask: What stands at 8000\?\n {4}ask: What stands at 8080\?/,
  );
  const { code, stderr } = await run(given('each/seen: { shown: CSE }\n'));
  assert.deepEqual([code, /asks for "shown"; did you mean "shown\.[12]"/.test(stderr)], [2, true], stderr);
  const types = typing('AE', 'CSE');
  const first = await run(['check', own, '--in-process', '--out', out], { columns: 80, types, env });
  assert.equal(first.code, 0, first.stderr);
  const again = await run(given(readFileSync(join(out, 'answers.yaml'), 'utf8')));
  assert.equal(again.code, 0, again.stderr);
  const some = await run(given('each/seen: { shown.1: AE }\n'));
  assert.match(`${some.code} ${some.stderr}`, /^4 (.|\n)*nobody answered: What stands at 8080\?/);
});

test('scenarios of the package in which a person is asked are chosen by name only', async () => {
  const ids = async (...more: readonly string[]) => (await run(['check', ...more, '--list'])).stdout;
  assert.match(await ids('manual'), /^manual\/configuration\/files$/m);
  assert.match(
    await ids('manual/configuration/port'),
    /^manual\/configuration\/port\n[^\n]*\n {4}ask: Is config\.port/m,
  );
  assert.doesNotMatch(await ids(), /^manual\//m);
  assert.doesNotMatch(await ids('container'), /^manual\//m);
});

test('every report tells who answered what, as text; an evidence package is checked again by the answers', async (t) => {
  const { place, out } = folderOf(t);
  const evil = '<img src=x>\u202e';
  const answers = place(
    'answers.yaml',
    `manual/configuration/files: { files: { answer: "no", by: '${evil}', at: 2026-11-30 } }
manual/configuration/shipped: { shipped: both }
manual/configuration/port: { port: cannot tell }
`,
  );
  const formats = ['terminal', 'html', 'markdown', 'junit', 'json'].flatMap((name) => ['--report', name]);
  const evidence = place('run.cselab');
  const given = ['--answers', answers, '--out', out, '--package', evidence];
  const { code, stdout } = await run(['check', 'manual', '--in-process', ...given, ...formats], {
    env: { COLUMNS: '80' },
  });
  assert.equal(code, 1);
  const flat = stdout.replace(/\s+/g, ' ');
  assert.match(flat, /manual\/configuration\/shipped: Look into .* "both", by \S*answers\.yaml beforehand/);
  assert.match(flat, /cannot tell, by /);
  for (const name of ['report.html', 'summary.md', 'junit.xml']) {
    const text = readFileSync(join(out, name), 'utf8');
    assert.ok(text.includes('beforehand'), name);
    assert.ok(!text.includes('<img src=x>') && !text.includes('\u202e'), name);
  }
  const verified = await run(['verify', evidence]);
  assert.equal(verified.code, 0, verified.stdout);
  assert.match(verified.stdout.replace(/\s+/g, ' '), /checked again by 1 request and 2 checks(?! of)/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Activity } from './activity.ts';
import type { RunningNode } from './event.ts';
import { Latest } from './latest.ts';
import { liveOutput } from './live.ts';

const node: RunningNode = {
  ...{ cse: 'mn-cse-1', role: 'gateway', activity: new Activity('mn-cse-1') },
  settings: { cse: {} },
  node: { registrations: [] } as unknown as RunningNode['node'],
};

function teller({ errIsTerminal = true, verbose = false }) {
  const written = { out: '', err: '' };
  const out = (text: string) => {
    written.out += text;
  };
  const err = (text: string) => {
    written.err += text;
  };
  const terminal = { write: out, columns: () => 80, rows: () => 24 };
  const latest = new Latest(5);
  return { written, latest, ...liveOutput({ out, err, terminal, color: false, latest, errIsTerminal, verbose }) };
}

test('until everything has started there are lines, and none of it stays after the end', () => {
  const { written, report: tell, greet, watch, end } = teller({});
  tell({ event: 'listening', what: 'console', url: 'http://127.0.0.1:1' });
  greet('ready http://127.0.0.1:8000');
  watch([node]);
  const [first, second, blank, titles, ...rest] = written.out.split('\n');
  assert.deepEqual([first, second, blank], ['console at http://127.0.0.1:1', 'ready http://127.0.0.1:8000', '']);
  assert.match(titles ?? '', /^ +requests +\/s +resources/);
  assert.equal(rest.length, 4);
  end();
  tell({ event: 'stopped' });
  assert.ok(written.out.endsWith('\r\u001b[5A\u001b[0Jstopped\n'));
});

test('what the CSE tells is among what happened last, and defects stay above', () => {
  const { written, latest, report: tell, watch, end } = teller({});
  watch([node]);
  tell({ event: 'log', cse: 'mn-cse-1', message: 'in-cse-1 has lost the registration' });
  tell({ event: 'error', message: 'Error: a defect' });
  end();
  assert.equal(written.err, 'Error: a defect\n');
  assert.deepEqual(
    latest.remarks.map(({ text }) => text),
    ['in-cse-1 has lost the registration'],
  );
});

test('where stderr leads elsewhere it gets every line at once, and with --verbose the terminal does', () => {
  for (const flags of [{ errIsTerminal: false }, { verbose: true }]) {
    const { written, report: tell, watch, end } = teller(flags);
    watch([node]);
    tell({ event: 'log', cse: 'mn-cse-1', message: 'registered at in-cse-1' });
    end();
    assert.equal(written.err, 'mn-cse-1: registered at in-cse-1\n');
  }
});

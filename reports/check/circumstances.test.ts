import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult, ScenarioResult } from '../../scenarios/words.ts';
import { renderPage } from '../document/html.tsx';
import { contextText } from '../facts/evidence.ts';
import { Report, renderJson } from '../formats/json-reporter.ts';
import { renderJunit } from '../formats/junit-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { runOf, sampleRun } from '../testing/sample-run.ts';
import { runDocument } from './run-document.ts';
import { renderTerminal } from './run-text.ts';

const place = { file: 'scenarios/transport/x.yaml', line: 3, column: 1 };
const common = { feature: 'TLS', tags: [], place, leftBehind: [], took: 1 };
const failure = { kind: 'tls', message: 'TLS: the target sent the alert "unknown ca"' } as const;
const request = { method: 'GET', path: '/onem2m', headers: [] };
const exchange = {
  request,
  failure,
  certificate: 'other authority',
  over: 'TLS 1.3',
  tls: { handshake: 'dropped', version: 'TLS 1.3', alert: 'unknown ca' },
  at: 1,
  took: 1,
  curl: 'curl -i --cert x.pem https://gw/onem2m',
} as const;

const refused: ScenarioResult = {
  ...common,
  id: 'transport/x/refused',
  title: 'A certificate is refused',
  installation: 'mutual',
  state: 'failed',
  steps: [
    {
      phase: 'step',
      title: 'retrieve /onem2m',
      on: 'backend',
      exchange,
      checks: [
        {
          requirement: 'tls.certificate-accepted',
          state: 'failed',
          expected: ['handshake completed'],
          actual: 'handshake dropped',
          place,
        },
      ],
    },
  ],
};
const registered: ScenarioResult = {
  ...common,
  id: 'pair/x/registers',
  title: 'The gateway registers',
  installation: 'simulated',
  state: 'failed',
  steps: [
    {
      phase: 'step',
      title: 'receive a POST request',
      received: {
        method: 'POST',
        path: '/~/in-cse-1/onem2m',
        headers: [['X-M2M-Origin', '//sp/mn']],
        body: '{"m2m:csr":{}}',
        at: 2,
      },
      checks: [
        {
          requirement: 'wire.content-type',
          state: 'failed',
          expected: ['x'],
          actual: 'attribute csi of the request is absent',
          place,
        },
      ],
    },
  ],
};
const reason = 'needs a target over HTTPS';
const missing: ScenarioResult = {
  ...common,
  id: 'transport/x/missing',
  title: 'TLS 1.2',
  state: 'not applicable',
  reason,
  steps: [
    {
      phase: 'step',
      title: 'retrieve /onem2m',
      checks: [
        {
          requirement: 'ae.api-echoed',
          state: 'not applicable',
          expected: ['x'],
          actual: 'the request was not sent',
          reason,
          place,
        },
      ],
    },
  ],
};

const { target } = sampleRun;
const run: RunResult = {
  ...runOf([refused, registered, missing], { code: 1, reason: 'two' }),
  installations: [
    { name: 'plain', has: ['plain HTTP'], gateway: target },
    {
      name: 'mutual',
      has: ['https'],
      gateway: target,
      backend: { ...target, cseId: 'in-cse-1' },
      originator: '//sp/cse/C1',
    },
  ],
};

test('where a step acted is reported if it is special', () => {
  const [step] = refused.steps;
  assert(step);
  assert.equal(
    contextText(run, refused, step),
    'installation mutual, at the backend, certificate "other authority", over TLS 1.3',
  );
  const plain = { phase: 'step', title: 'retrieve', checks: [] } as const;
  assert.equal(contextText(sampleRun, { installation: 'target', steps: [plain] }, plain), '');
});

test('every report shows installation, CSE, certificate, TLS and what was received', () => {
  const terminal = renderTerminal(run, { color: false, columns: 200, verbose: false });
  for (const text of [
    terminal,
    unpack(renderPage(runDocument(run))).replaceAll('&quot;', '"'),
    renderJunit(run).replaceAll('&quot;', '"'),
  ]) {
    for (const part of [
      'installation mutual, at the backend, certificate "other authority", over TLS 1.3',
      'TLS 1.3: handshake dropped; the target sent the alert "unknown ca"',
      'POST /~/in-cse-1/onem2m',
      reason,
    ]) {
      assert.ok(text.includes(part), part);
    }
  }
  assert.match(terminal, /^Installations: plain http:\S+, mutual http:\S+$/m);
  assert.match(terminal, /– ae\.api-echoed, not applicable: needs a target over HTTPS\n/);
  assert.match(terminal, /1 not applicable/);
});

test('a check that is not applicable is skipped in JUnit, with the reason', () => {
  assert.match(renderJunit(run), /<skipped>not applicable: needs a target over HTTPS<\/skipped>/);
});

test('the JSON report keeps all of it', () => {
  assert.deepEqual(Report.safeParse(JSON.parse(renderJson(run))).error?.issues, undefined);
});

test('time that passed is not reported of the clean-up', () => {
  const passed = { duration: '1h', how: 'waited' } as const;
  const step = (phase: 'step' | 'cleanup') => ({ phase, title: 'delete /x', checks: [] }) as const;
  const steps = [{ ...step('step'), passed }, step('step'), step('cleanup')];
  const told = steps.map((one) => contextText({ installations: [] }, { steps }, one));
  assert.deepEqual(told, ['', 'after 1h of waiting', '']);
});

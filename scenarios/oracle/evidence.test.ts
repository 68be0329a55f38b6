import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Evidence } from './evidence.ts';
import { Judge } from './judge.ts';
import type { Subject } from './observation/facts.ts';
import type { SeenExchange } from './observation/seen-exchange.ts';
import { rulesOf } from './rules.ts';
import { absent, ae, box, containerWith, content, exchange, names, one, type Step } from './testing/standard.ts';

test('evidence counts exchanges by dimension, and evidence of parts of a run adds up', () => {
  const first = new Evidence();
  first.count('ae.api', [
    ['operation', 'create'],
    ['form', 'CSE-relative'],
  ]);
  first.count('ae.api', [
    ['operation', 'retrieve'],
    ['form', 'CSE-relative'],
  ]);
  const second = new Evidence();
  second.count('ae.api', [['operation', 'create']]);
  second.count('__proto__', []);
  first.add(second.report());
  const told = first.report();
  assert.deepEqual(told['ae.api'], {
    exchanges: 3,
    by: { form: { 'CSE-relative': 2 }, operation: { create: 2, retrieve: 1 } },
  });
  assert.deepEqual(Object.keys(told), ['__proto__', 'ae.api']);
});

test('evidence has address forms, originators, resource types and counts', () => {
  const evidence = new Evidence();
  const rules = rulesOf('onem2m').filter(({ requirement }) => requirement === 'std.headers.ri');
  const judge = new Judge({ rules, dialect: 'onem2m', names, levelOf: () => 'standard', onRule: evidence.note });
  const steps: readonly Step[] = [
    ['POST /cse-in', { 'm2m:ae': { rn: 'app', api: 'Na', rr: false } }, { body: { 'm2m:ae': ae } }],
    ['POST /cse-in/app', { 'm2m:cnt': { rn: 'box' } }, containerWith({})],
    [`POST ${box}`, one, content({})],
    [`POST ${box}`, { 'm2m:cin': { rn: 'big', con: 'a'.repeat(65_536) } }],
    [`POST ${box}`, { 'm2m:cin': { rn: 'none', con: '' } }],
    [`GET /~/id-in${box}`, absent, { ...containerWith({ cni: 2 }), from: 'Cother' }],
    ['GET /cse-in/app', absent, { body: { 'm2m:ae': ae } }],
  ];
  for (const [line, sent, told = {}] of steps) judge.judge(exchange(line, sent, told));
  assert.deepEqual(evidence.report()['std.headers.ri'], {
    exchanges: 7,
    by: {
      children: { 1: 1, '3-8': 1 },
      content: { 0: 1, '1-15': 1, '65536 and more': 1 },
      form: { 'CSE-relative': 6, 'SP-relative': 1 },
      operation: { create: 5, retrieve: 2 },
      sender: { another: 1, 'its creator': 5, 'nobody before': 1 },
      type: { ae: 2, container: 2, 'content-instance': 3 },
    },
  });
});

test('evidence groups sizes into classes by lower bound', () => {
  const lengths = [0, 1, 15, 16, 63, 64, 254, 255, 1023, 1024, 4095, 4096, 65_535, 65_536];
  const counts = [0, 1, 2, 3, 8, 9, 11, 12, 48, 49, 98, 99];
  const evidence = new Evidence();
  const sender = { originator: 'Capp', certificate: undefined };
  const asked = { operation: 'retrieve', virtual: 'latest', form: 'identifier', trailingSlash: true };
  const note = (given: ReadonlyMap<string, unknown>, children: readonly unknown[]) => {
    const subject = {
      resource: { createdBy: sender, type: 'container', children },
      requested: given,
    } as unknown as Subject;
    const seen = { request: asked, sender } as unknown as SeenExchange;
    evidence.note({ requirement: 'a', outcome: 'passed', seen, subject });
    evidence.note({ requirement: 'a', outcome: 'unobserved', seen, subject });
  };
  for (const length of lengths) note(new Map([['con', 'x'.repeat(length)]]), []);
  for (const count of counts) note(new Map(), Array.from({ length: count }));
  const all = lengths.length + counts.length;
  assert.deepEqual(evidence.report().a, {
    exchanges: all,
    by: {
      children: { 0: 1 + lengths.length, 1: 1, 2: 1, '3-8': 2, '9-11': 2, '12-48': 2, '49-98': 2, '99 and more': 1 },
      content: {
        ...{ 0: 1, '1-15': 2, '16-63': 2, '64-254': 2, '255-1023': 2, '1024-4095': 2, '4096-65535': 2 },
        '65536 and more': 1,
      },
      form: { 'identifier, slash': all },
      operation: { 'retrieve latest': all },
      sender: { 'its creator': all },
      type: { container: all },
    },
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redactor } from '../secrets/redactor.ts';
import { type CreatingLine, type RunLine, withoutSecrets } from './ledger-line.ts';

const redactor = new Redactor(['sesame']);
const creating: CreatingLine = { kind: 'creating', number: 1, on: 'gateway', in: '/sesame', originator: 'Capp' };
const site = { url: 'http://cse.test', base: 'sesame', cseId: 'id', spId: 'sp' };
const head: RunLine = {
  ...{ kind: 'run', ledger: 1, run: 'r', startedAt: '2026-01-01T00:00:00Z', pid: 1, host: 'h', gateway: site },
  ...{ dialect: 'onem2m', release: '3', originator: 'Capp' },
};

test('an originator that holds a secret stands in no line', () => {
  assert.deepEqual(withoutSecrets({ ...creating, originator: 'me:sesame' }, redactor), {
    ...{ kind: 'creating', number: 1, on: 'gateway', in: '/sesame' },
  });
});

test('the first line says that an originator was withheld', () => {
  assert.deepEqual(withoutSecrets({ ...head, admin: 'sesame' }, redactor), { ...head, withheld: true });
});

test('addresses and other originators stay', () => {
  assert.equal(withoutSecrets(creating, redactor), creating);
  assert.equal(withoutSecrets(head, redactor), head);
});

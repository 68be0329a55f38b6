import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DrawnDeviation } from '../../../sim/index.ts';
import type { Detection } from '../scoring/detect.ts';
import type { Violation } from '../scoring/tables.ts';
import { rowResultOf } from './drawn-row.ts';

type Drawn = Parameters<typeof rowResultOf>[0];

const about = (...does: readonly DrawnDeviation['does'][]): Drawn => ({
  deviations: does.map((one) => ({ when: { operation: 'create' }, does: one })),
});
const violation = (requirement: string, actual: string): Violation => ({
  ...{ requirement, actual, scenario: 's', expected: ['as it should be'] },
});
const detected = (...violations: readonly Violation[]): Detection => ({
  violations,
  causes: [],
  scenarios: 3,
  troubles: [],
  took: 1,
});
const verdictOn = (drawn: Drawn, seen: Detection) => rowResultOf(drawn, { detection: seen }).verdict;

test('identified is what the first violation names', () => {
  const dropped = about({ drop: 'cni' });
  assert.equal(verdictOn(dropped, detected(violation('container.cni', 'it is absent'))), 'identified');
  assert.equal(verdictOn(dropped, detected(violation('container.new', 'attribute cni is absent'))), 'identified');
  assert.equal(verdictOn(dropped, detected(violation('container.cnisomething', 'other'))), 'seen');
  const recoded = about({ succeed: 2000 });
  assert.equal(verdictOn(recoded, detected(violation('container.create.status', 'status 200'))), 'identified');
  assert.equal(verdictOn(recoded, detected(violation('tls.certificate-optional', 'status 200'))), 'seen');
  assert.equal(verdictOn(about({ drop: 'or' }), detected(violation('node.or-none', 'one or none'))), 'identified');
  assert.equal(verdictOn(about({ drop: 'or' }), detected(violation('node.none', 'one or none'))), 'seen');
  assert.equal(verdictOn(about({ lose: 'first' }), detected(violation('latest.newest', 'con is old'))), 'seen');
  assert.equal(verdictOn(dropped, detected()), 'not seen');
  assert.equal(verdictOn(dropped, { ...detected(), troubles: ['broken'] }), 'not judged');
});

test('to register is to create, and to deregister is to delete', () => {
  const on = (type: string, operation: 'create' | 'update' | 'delete', requirement: string) =>
    verdictOn(
      { deviations: [{ when: { type, operation }, does: { reject: 5000 } }] },
      detected(violation(requirement, 'RSC 5000')),
    );
  assert.equal(on('m2m:csr', 'create', 'std.remote-cse.register'), 'identified');
  assert.equal(on('m2m:ae', 'delete', 'std.ae.deregister'), 'identified');
  assert.equal(on('m2m:ae', 'create', 'std.ae.deregister'), 'seen');
  assert.equal(on('m2m:ae', 'update', 'std.ae.register'), 'seen');
  assert.equal(on('m2m:cnt', 'create', 'std.ae.register'), 'seen');
});

test('of an installation certificates, notifications, registrations and what is forwarded are named', () => {
  const on = (type: string, requirement: string) =>
    verdictOn({ deviations: [{ when: { type }, does: {} }] }, detected(violation(requirement, 'otherwise')));
  assert.equal(on('certificate', 'tls.originator.another'), 'identified');
  assert.equal(on('forwarded request', 'forwarding.retrieve'), 'identified');
  assert.equal(on('notification', 'events.points-of-access'), 'identified');
  assert.equal(on('registration', 'registration.labels'), 'identified');
  assert.equal(on('registration', 'forwarding.retrieve'), 'seen');
});

test('collateral is what names nothing of what deviates, whichever violation is first', () => {
  const both = detected(violation('latest.newest', 'status 404'), violation('container.cni', 'it is absent'));
  const { verdict, collateral, identified, by } = rowResultOf(about({ drop: 'cni' }), { detection: both });
  assert.deepEqual([verdict, collateral, identified, by], ['seen', ['latest.newest'], 1, 'check']);
});

test('each deviation of a pair is identified by itself, and what nothing shows together is not judged', () => {
  const pair = about({ drop: 'cni' }, { drop: 'con' });
  const witness = { requests: ['one'], sound: 'a', deviating: 'b' };
  const one = rowResultOf(pair, { witness, detection: detected(violation('container.cni', 'it is absent')) });
  assert.deepEqual([one.verdict, one.identified, one.collateral], ['identified', 1, []]);
  const both = detected(violation('container.cni', 'it is absent'), violation('latest.newest', 'attribute con is old'));
  assert.equal(rowResultOf(pair, { witness, detection: both }).identified, 2);
  const none = rowResultOf(pair, { detection: detected() });
  assert.deepEqual([none.verdict, none.reason], ['not judged', 'nothing shows the two together']);
});

test('what only generated sequences find is reported as theirs, with what does not count', () => {
  const found = { sequences: 4, took: 2, violation: violation('container.cni', 'cni is 3'), steps: ['retrieve'] };
  const seen = rowResultOf(about({ drop: 'cni' }), { detection: detected(), explored: found });
  assert.deepEqual([seen.verdict, seen.by, seen.took], ['identified', 'explore', 3]);
  assert.deepEqual(seen.explored, { sequences: 4, steps: ['retrieve'] });
  const unsure = { sequences: 4, took: 2, trouble: 'container.cni: fails at the sound CSE too' };
  const { verdict, by, reason } = rowResultOf(about({ drop: 'cni' }), { detection: detected(), explored: unsure });
  assert.deepEqual([verdict, by, reason], ['not seen', undefined, unsure.trouble]);
});

test('any report of a permitted variation is a false alarm', () => {
  const sound: Drawn = { variations: [{ 'media type': 'with a charset' }] };
  assert.deepEqual(
    [
      verdictOn(sound, detected(violation('container.cni', 'absent'))),
      verdictOn(sound, detected()),
      verdictOn(sound, { ...detected(), scenarios: 0 }),
    ],
    ['false alarm', 'quiet', 'not judged'],
  );
  assert.deepEqual(rowResultOf(sound, { detection: detected(violation('container.cni', 'absent')) }).collateral, []);
});

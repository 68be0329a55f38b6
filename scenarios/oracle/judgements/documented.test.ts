/** What is told apart in the documented dialect: identifiers, contents, senders, and forms of a path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRulesOf, rulesOf } from '../rules.ts';
import { type AnswerSpec, ae, container, exchange, instance, judge, names } from '../testing/judge.ts';

/** Of two that are there neither has the identifier of a third, and what is gone need not keep its own. */
for (const [requirement, own] of [
  ['common.ri.distinct', { ri: 'ae0', aei: 'C2' }],
  ['common.ri.distinct', { ri: 'ae1', aei: 'C2' }],
  ['ae.aei.distinct', { ri: 'ae2', aei: 'C0' }],
  ['ae.aei.distinct', { ri: 'ae2', aei: 'C1' }],
] as const)
  test(`${JSON.stringify(own)} is returned for a third application entity: ${requirement}`, () => {
    const { broken } = judge();
    const register = (rn: string, shown: object) =>
      broken(
        'POST /onem2m',
        { 'm2m:ae': { rn, api: 'a', rr: 'TRUE' } },
        { status: 201, body: { 'm2m:ae': { ...ae, rn, ...shown } } },
      );
    assert.deepEqual(register('second', { ri: 'ae1', aei: 'C1' }), []);
    assert.deepEqual(register('third', own), [requirement]);
    const other = judge().broken;
    for (const rn of ['app', 'second']) other(`DELETE /onem2m/${rn}`, undefined, { status: 200 });
    const again = { status: 201, body: { 'm2m:ae': { ...ae, rn: 'third', ...own } } };
    assert.deepEqual(other('POST /onem2m', { 'm2m:ae': { rn: 'third', api: 'a', rr: 'TRUE' } }, again), []);
  });

test('no older content is returned: satisfied only if there is an older instance', () => {
  const outcomes = (...contents: readonly string[]) => {
    const told: string[] = [];
    const { broken } = judge(names, rulesOf('documented'), ({ requirement, check, outcome }) => {
      if (requirement === 'latest.newest' && 'attributes' in check && 'con' in (check.attributes ?? {}))
        told.push(outcome);
    });
    for (const [at, con] of contents.entries())
      broken(
        'POST /onem2m/app/box',
        { 'm2m:cin': { rn: `c${at}`, con, cnf: 'text/plain:0' } },
        { status: 201, body: { 'm2m:cin': { ...instance, rn: `c${at}`, ri: `cin-${at}`, con, cs: con.length } } },
      );
    const rn = `c${contents.length - 1}`;
    const shown = { ...instance, rn, ri: `cin-${contents.length - 1}`, con: contents.at(-1) };
    broken('GET /onem2m/app/box/latest', undefined, { status: 200, body: { 'm2m:cin': shown } });
    return told;
  };
  assert.deepEqual(outcomes('old', 'new'), ['passed']);
  assert.deepEqual(outcomes('same', 'same'), []);
  assert.deepEqual(outcomes('alone'), []);
});

test('a retrieve is compared with earlier ones of the same sender, in any address form', () => {
  const shown = (lt: string, originator?: string): AnswerSpec => ({
    status: 200,
    body: { 'm2m:cnt': { ...container, lt: `2026-11-22T10:00:0${lt}.000001+00:00` } },
    ...(originator !== undefined && { headers: { 'X-M2M-Origin': originator } }),
  });
  const compared = (...then: readonly [request: string, told: AnswerSpec][]) => {
    const { broken } = judge();
    return then.map(([request, told]) => broken(request, undefined, told)).at(-1);
  };
  const [read, other] = ['GET /onem2m/app/box', 'GET /~/mn-cse-1/onem2m/app/box'];
  assert.deepEqual(compared([read, shown('1')], [other, shown('2')]), ['sp-relative.retrieve.same-resource']);
  assert.deepEqual(compared([read, shown('1')], [other, shown('2', 'C1')]), []);
  assert.deepEqual(compared([read, shown('1')], [`${read}?rcn=1`, shown('2')], [other, shown('1')]), []);
  assert.deepEqual(compared([other, shown('1')], [other, shown('2')]), []);
});

test('responses to absolute paths and identifiers need not be as documented', () => {
  const told = { status: 200, body: { 'm2m:cnt': { ...container, ri: undefined } } };
  for (const path of ['/_/openmtc.org/mn-cse-1/onem2m/app/box', '/cnt0'])
    assert.deepEqual(judge().broken(`GET ${path}`, undefined, told), [], path);
  for (const path of ['/onem2m/app/box', '/~/mn-cse-1/onem2m/app/box'])
    assert.deepEqual(judge().broken(`GET ${path}`, undefined, told), ['container.ri'], path);
  const registered = { status: 201, body: { 'm2m:ae': { ...ae, rn: 'other', ri: undefined, aei: 'C1' } } };
  const register = { 'm2m:ae': { rn: 'other', api: 'a', rr: 'TRUE' } };
  assert.deepEqual(judge().broken('POST /~/mn-cse-1', register, registered), ['ae.ri']);
});

test('a resource created from an unreadable body is known by the response', () => {
  const { broken } = judge();
  broken('POST /onem2m/app', 'no JSON', { status: 201, body: { 'm2m:cnt': { ...container, rn: 'bin', ri: 'cnt1' } } });
  const other = { status: 200, body: { 'm2m:cnt': { ...container, rn: 'bin', ri: 'cnt9' } } };
  assert.deepEqual(broken('GET /onem2m/app/bin', undefined, other), ['common.ri.stable']);
});

test('a client with a certificate is not anonymous', () => {
  const { one } = judge();
  const made = exchange(
    'POST /onem2m/app',
    { 'm2m:cnt': { rn: 'bin' } },
    { status: 201, body: { 'm2m:cnt': { ...container, rn: 'bin', ri: 'cnt1', cr: 'C1' } } },
  );
  assert.deepEqual(one.judge({ ...made, certificate: 'own' }), []);
  assert.deepEqual(
    judge()
      .one.judge(made)
      .map(({ requirement }) => requirement),
    ['container.cr.nobody'],
  );
});

test('responses of another CSE are checked if requested, and not if lost', () => {
  const heard = (told: AnswerSpec, about?: { readonly isJudged: boolean }, failure?: 'reset' | 'timeout') => {
    const { one } = judge(names, allRulesOf('documented'));
    const asked = exchange('GET /~/mn-cse-1/onem2m/app/box', undefined, told);
    const sent = failure === undefined ? asked : { ...asked, failure: { kind: failure, message: failure } };
    return one.judgeForwarded(sent, about).map(({ requirement }) => requirement);
  };
  assert.deepEqual(heard({ status: 404 }), ['forwarding.retrieve']);
  assert.deepEqual(heard({ status: 404 }, { isJudged: true }), ['forwarding.retrieve']);
  assert.deepEqual(heard({ status: 404 }, { isJudged: false }), []);
  assert.deepEqual(heard({}, undefined, 'timeout'), ['forwarding.retrieve']);
  assert.deepEqual(heard({}, undefined, 'reset'), []);
});

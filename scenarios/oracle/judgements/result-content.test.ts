import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  box,
  container,
  content,
  exchange,
  instance,
  judge,
  one,
  refused,
  type StandardAnswer,
  type Step,
  times,
} from '../testing/standard.ts';

test('a delete with rcn 1 returns the deleted resource', () => {
  const deleted = (body?: object) => {
    const { broken } = judge();
    broken(`POST ${box}`, one, content({}));
    return broken(`DELETE ${box}/one?rcn=1`, absent, { code: 2002, ...(body && { body }) });
  };
  assert.deepEqual(deleted({ 'm2m:cin': instance }), []);
  assert.deepEqual(deleted(), ['std.delete.rcn.1']);
  assert.deepEqual(deleted({ 'm2m:cin': { ...instance, rn: 'two' } }), ['std.delete.rcn.1']);
  assert.deepEqual(deleted({ 'm2m:cnt': instance }), ['std.delete.rcn.1']);
});

test('a retrieve returns the requested result content', () => {
  const shown = (query: string, body: object) => {
    const { broken } = judge();
    broken(`POST ${box}`, one, content({}));
    return broken(`GET ${box}?${query}`, absent, { body });
  };
  const grown = { ...container, cni: 1, cbs: 3, st: 1 };
  const child = { nm: 'one', typ: 4, val: 'cse-in/app/box/one' };
  const cnt = (more: object) => ({ 'm2m:cnt': more });
  assert.deepEqual(shown('rcn=1', cnt(grown)), []);
  assert.deepEqual(shown('rcn=1', cnt({ ...grown, ch: [child] })), ['std.retrieve.rcn.1.nothing-else']);
  assert.deepEqual(shown('rcn=4', cnt({ ...grown, 'm2m:cin': [instance] })), []);
  assert.deepEqual(shown('rcn=4', cnt(grown)), ['std.retrieve.rcn.4.children']);
  assert.deepEqual(shown('rcn=5', cnt({ ...grown, ch: [child] })), []);
  assert.deepEqual(shown('rcn=5', cnt({ ...grown, ch: [{ ...child, typ: 3 }] })), ['std.retrieve.rcn.5.children']);
  assert.deepEqual(shown('rcn=5', cnt({ ...grown, ch: [{ ...child, val: 'cin0' }] })), [
    'std.retrieve.references.structured',
  ]);
  assert.deepEqual(shown('rcn=4&ty=4', cnt({ ...grown, 'm2m:cin': [instance] })), []);
  assert.deepEqual(shown('rcn=4&ty=4', cnt(grown)), ['std.retrieve.filter.children']);
  assert.deepEqual(shown('rcn=6', { 'm2m:rrl': { rrf: [child] } }), []);
  assert.deepEqual(shown('rcn=6', { 'm2m:rrl': { rrf: [] } }), ['std.retrieve.rcn.6.children']);
  assert.deepEqual(shown('rcn=8', cnt({ 'm2m:cin': [instance] })), []);
  assert.deepEqual(shown('rcn=8', cnt({ ct: times.ct, 'm2m:cin': [instance] })), ['std.retrieve.rcn.8.nothing-else']);
  assert.deepEqual(shown('atrl=ty', cnt({ ty: 3 })), []);
  assert.deepEqual(shown('atrl=ty', cnt({ rn: 'box' })), ['std.partial.one', 'std.partial.nothing-else']);
  assert.deepEqual(shown('atrl=ty+rn', cnt({ ty: 3, rn: 'box' })), []);
  assert.deepEqual(shown('atrl=ty+rn', cnt({ ty: 3 })), ['std.partial.several']);
  assert.deepEqual(shown('atrl=ty+rn', cnt({ ty: 3, rn: 'box', ri: 'cnt0' })), ['std.partial.nothing-else']);
  assert.deepEqual(shown('atrl=lbl', cnt({ lbl: ['a', 'b'], ct: times.ct })), ['std.partial.nothing-else']);
  assert.deepEqual(shown('atrl=ty+lbl', cnt({})), []);
  assert.deepEqual(shown('atrl=', cnt(grown)), []);
  for (const rcn of [1, 4, 5]) {
    const all = { ...grown, ...(rcn === 4 && { 'm2m:cin': [instance] }), ...(rcn === 5 && { ch: [child] }) };
    assert.deepEqual(shown(`rcn=${rcn}`, { 'm2m:xyz': all }), [`std.retrieve.rcn.${rcn}`]);
  }
  assert.deepEqual(shown('rcn=4', cnt({ ...grown, 'm2m:cin': [instance, { ...instance, ri: 'cin7', rn: 'two' }] })), [
    'std.retrieve.rcn.4.children',
  ]);
  assert.deepEqual(shown('rcn=6', { 'm2m:rrl': [child] }), []);
  assert.deepEqual(shown('rcn=6', { 'm2m:cnt': { ch: [child] } }), []);
  assert.deepEqual(shown('rcn=8', cnt({})), ['std.retrieve.rcn.8.children']);
  assert.deepEqual(shown('rcn=8', cnt({ ri: 'cnt0', 'm2m:cin': [instance] })), ['std.retrieve.rcn.8.nothing-else']);
  assert.deepEqual(shown('rcn=4&ty=4', cnt({ ...grown, 'm2m:cin': [instance], 'm2m:sub': [{}] })), [
    'std.retrieve.filter.children',
  ]);
  assert.deepEqual(shown('rcn=4&ty=3', cnt(grown)), []);
  const other = { ...instance, ri: 'cin9', rn: 'two' };
  const { broken } = judge();
  const before: readonly Step[] = [
    [`POST ${box}`, one, content({})],
    [`POST ${box}`, { 'm2m:cin': { rn: 'two', con: 'abc', cnf: 'text/plain:0' } }, content(other)],
    [`DELETE ${box}/two`],
  ];
  for (const step of before) broken(...step);
  const listed = cnt({ ...grown, st: 3, 'm2m:cin': [instance, { ...other, rn: 'ghost' }] });
  assert.ok(broken(`GET ${box}?rcn=4`, absent, { body: listed }).includes('std.retrieve.rcn.4.children'));
});

test('a supported result content is not refused', () => {
  const refusal = { status: 400, code: 4000 };
  for (const rcn of [1, 4, 5, 6, 8])
    assert.deepEqual(judge().broken(`GET ${box}?rcn=${rcn}`, absent, refusal), [`std.retrieve.rcn.${rcn}`]);
  assert.deepEqual(judge().broken(`GET ${box}?rcn=3`, absent, refusal), []);
  assert.deepEqual(judge().broken(`GET ${box}?rcn=4`, absent, { ...refusal, from: 'Cother' }), []);
  assert.deepEqual(judge().broken(`GET ${box}?atrl=ty`, absent, refusal), ['std.partial.one']);
  assert.deepEqual(judge().broken(`GET ${box}?atrl=ty+rn`, absent, refusal), ['std.partial.several']);
  for (const open of [`${box}?atrl=`, `${box}?atrl=nosuch`, `${box}/none?atrl=ty`, `${box}?atrl=ty&rcn=1`])
    assert.deepEqual(judge().broken(`GET ${open}`, absent, refusal), [], open);
});

test('children are returned with their descendants, as far as these are certain', () => {
  const inner = { ...container, ri: 'cnt2', rn: 'in', pi: 'cnt0', lbl: absent, cni: 1, cbs: 3, st: 1 };
  const deep = { ...instance, ri: 'cin5', rn: 'deep', pi: 'cnt2' };
  const shown = (query: string, body: object, status?: string, ...before: readonly Step[]) => {
    const { broken, judging } = judge();
    broken(`POST ${box}`, { 'm2m:cnt': { rn: 'in' } }, { body: { 'm2m:cnt': { ...inner, cni: 0, cbs: 0, st: 0 } } });
    broken(
      `POST ${box}/in`,
      { 'm2m:cin': { rn: 'deep', con: 'abc', cnf: 'text/plain:0' } },
      { body: { 'm2m:cin': deep } },
    );
    for (const step of before) broken(...step);
    const read = exchange(`GET ${box}?${query}`, absent, { body: { 'm2m:cnt': { ...container, st: 1, ...body } } });
    const headers = [...(read.answer?.headers ?? []), ...(status ? [['X-M2M-CTS', status] as const] : [])];
    return judging
      .judge({ ...read, answer: { status: 200, body: '', ...read.answer, headers } })
      .map(({ requirement }) => requirement);
  };
  const nested = (...of: readonly object[]) => ({ 'm2m:cnt': of });
  assert.deepEqual(shown('rcn=4', nested({ ...inner, 'm2m:cin': [deep] })), []);
  assert.deepEqual(shown('rcn=4', nested(inner)), ['std.retrieve.rcn.4.descendants']);
  assert.deepEqual(shown('rcn=4', nested(inner), '1'), []);
  assert.deepEqual(shown('rcn=4', {}, '1'), []);
  assert.deepEqual(shown('rcn=4', nested(inner), absent, [`DELETE ${box}/in/deep`, absent, refused]), []);
  assert.deepEqual(shown('rcn=4', {}), ['std.retrieve.rcn.4.children']);
  assert.deepEqual(shown('rcn=4&ty=4', {}), []);
  const lamp: Step = [`POST ${box}`, { 'cod:lamp': { rn: 'lamp', cnd: 'org.lamp' } }];
  const other = { ...inner, ri: 'cnt8', rn: 'other' };
  const both = nested({ ...inner, 'm2m:cin': [deep] }, other);
  assert.deepEqual(shown('rcn=4', both), ['std.retrieve.rcn.4.children']);
  // What is announced or defined elsewhere may be nested by any root.
  assert.deepEqual(shown('rcn=4', both, absent, lamp), []);
});

test('specializations are returned with any root', () => {
  const lamp = { ...times, ri: 'fcnt0', rn: 'lamp', ty: 28, pi: 'Capp', st: 0, cs: 1, cnd: 'org.lamp' };
  const read = (told: StandardAnswer) => {
    const { broken } = judge();
    broken('POST /cse-in/app', { 'cod:lamp': { rn: 'lamp', cnd: 'org.lamp' } }, { body: { 'cod:lamp': lamp } });
    return broken('GET /cse-in/app/lamp?rcn=1', absent, told);
  };
  assert.deepEqual(read({ body: { 'cod:lamp': lamp } }), []);
  assert.deepEqual(read({ status: 400, code: 4000 }), ['std.retrieve.rcn.1']);
});

/** What is certain of what a run created, and when it is not any more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  box,
  container,
  containerWith,
  content,
  exchange,
  grown,
  instance,
  judge,
  one,
  refused,
  type StandardAnswer,
  type Step,
  times,
} from '../testing/standard.ts';
import { type KnownResource, keepLatest } from './known-resource.ts';

const inner = { ...container, ri: 'cnt2', rn: 'in', pi: 'cnt0', lbl: absent };
const within = (limits: object = {}): Step => [
  `POST ${box}`,
  { 'm2m:cnt': { rn: 'in', ...limits } },
  { body: { 'm2m:cnt': { ...inner, ...limits } } },
];
const stored = (rn: string, more: object = {}): Step => [
  `POST ${box}/in`,
  { 'm2m:cin': { rn, con: 'abc', cnf: 'text/plain:0', ...more } },
  { body: { 'm2m:cin': { ...instance, rn, ri: `cin-${rn}`, pi: 'cnt2', ...more } } },
];
const deeper: Step = [`POST ${box}/in`, { 'm2m:cnt': { rn: 'deep' } }];

/** The last moment, in milliseconds, at which something is certainly there. */
const moments: ReadonlyArray<
  readonly [what: string, before: readonly Step[], path: string, at: number, broken: string]
> = [
  ['what expires', [], box, 3_598_001, 'std.container.retrieve'],
  [
    'an instance that may be too old',
    [within({ mia: 10 }), stored('one')],
    `${box}/in/one`,
    8_001,
    'std.content-instance.retrieve',
  ],
];
for (const [what, before, path, at, requirement] of moments)
  test(`two seconds before its expiration ${what} is no longer certain`, () => {
    const missed = (time: number) => {
      const { broken, judging } = judge();
      for (const step of before) broken(...step);
      const told = { ...exchange(`GET ${path}`, absent, refused), at: time };
      return judging.judge(told).map((one) => one.requirement);
    };
    assert.deepEqual(missed(at), [requirement]);
    assert.deepEqual(missed(at + 1), []);
  });

test('after time has advanced, no other resource is nearer to its expiration', () => {
  const { broken, judging } = judge();
  judging.passTime(3_000_000);
  assert.deepEqual(broken(`GET ${box}`, absent, refused), ['std.container.retrieve']);
  const later = { ...exchange(`GET ${box}`, absent, refused), at: 600_000 };
  assert.deepEqual(judging.judge(later), []);
});

test('a maximum age removes instances, and nothing else', () => {
  const { broken } = judge();
  for (const step of [within({ mia: 1 }), deeper]) broken(...step);
  assert.deepEqual(broken(`GET ${box}/in/deep`, absent, refused), ['std.container.retrieve']);
});

const counts = (cni: number, cbs: number, st: number) => containerWith({ cni, cbs, st });
const removedOne: Step = [`DELETE ${box}/one`];
const series = { ...times, ri: 'ts0', rn: 't', ty: 29, pi: 'Capp', cni: 0, cbs: 0 };
const seriesMade: Step = ['POST /cse-in/app', { 'm2m:ts': { rn: 't' } }, { body: { 'm2m:ts': series } }];
const point = { ...times, ri: 'tsi0', rn: 'i', ty: 30, pi: 'ts0', dgt: times.ct, con: 'abc', cs: 3 };
const measured = (more: object = {}): Step => [
  'POST /cse-in/app/t',
  { 'm2m:tsi': { rn: 'i', dgt: times.ct, con: 'abc' } },
  { body: { 'm2m:tsi': { ...point, ...more } } },
];
const ofSeries = (cni: number, cbs: number): StandardAnswer => ({ body: { 'm2m:ts': { ...series, cni, cbs } } });
const text = (con: string, cs: number, cnf?: string): Step => [
  `POST ${box}`,
  { 'm2m:cin': { rn: 'one', con, ...(cnf && { cnf }) } },
  content({ con, cs, cnf }),
];
/** Its limit was given, and is not shown. */
const unlisted: Step = [`POST ${box}`, { 'm2m:cnt': { rn: 'in', mni: 3 } }, { body: { 'm2m:cnt': inner } }];
const bin = { ...container, ri: 'cnt9', rn: 'bin', lbl: absent };
/** Below one whose identifier only its creation has shown. */
const gone: Step = ['GET /cse-in/app/bin/in', absent, {}];
const binMade: Step = ['POST /cse-in/app', { 'm2m:cnt': { rn: 'bin' } }, { body: { 'm2m:cnt': bin } }];
const goneInBin: readonly Step[] = [
  binMade,
  ['POST /cse-in/app/bin', { 'm2m:cnt': { rn: 'in' } }],
  ['DELETE /cse-in/app/bin/in'],
];
const put = (query: string, given: object): Step => [
  `PUT ${box}${query}`,
  { 'm2m:cnt': given },
  containerWith({ st: 1, ...given }),
];

const wrong: ReadonlyArray<readonly [requirements: string, before: readonly Step[], ...Step]> = [
  ['std.container.cni.instances-only', [within()], `GET ${box}`, absent, counts(1, 0, 1)],
  ['std.container.cni.shrinks', [grown, removedOne], `GET ${box}`, absent, counts(1, 0, 2)],
  ['std.container.cbs.shrinks', [grown, removedOne], `GET ${box}`, absent, counts(0, 3, 2)],
  ['std.time-series.counted', [seriesMade, measured()], 'GET /cse-in/app/t', absent, ofSeries(0, 3)],
  [
    'std.time-series.shrinks',
    [seriesMade, measured(), ['DELETE /cse-in/app/t/i']],
    'GET /cse-in/app/t',
    absent,
    ofSeries(1, 0),
  ],
  ['std.time-series-instance.cs', [seriesMade], ...measured({ cs: 4 })],
  ['std.content-instance.cs.bytes', [], ...text('\u00e4', 1)],
  ['std.content-instance.cs.bytes', [], ...text('\u00e4', 1, 'text/plain:0:0')],
  ['std.content-instance.retrieve', [within({ mni: 1 }), stored('one')], `GET ${box}/in/one`, absent, refused],
  ['std.content-instance.retrieve', [grown, put('', { or: 'x' })], `GET ${box}/one`, absent, refused],
  ['std.update.change.kept', [put('?rcn=9', { lbl: ['c'] })], `GET ${box}`, absent, containerWith({ st: 1 })],
  ['std.delete.gone', [[`DELETE ${box}?rcn=1`, absent, containerWith({})]], `GET ${box}`, absent, containerWith({})],
  ['std.container.retrieve', [[`OPTIONS ${box}`]], `GET ${box}`, absent, refused],
  ['std.container.retrieve', [[`HEAD ${box}`]], `GET ${box}`, absent, refused],
  ['std.container.retrieve', [[`DELETE ${box}`, absent, { status: 403, code: 4103 }]], `GET ${box}`, absent, refused],
  ['std.container.retrieve', [['DELETE /~/other/cse-in/app']], `GET ${box}`, absent, refused],
  ['std.content-instance.retrieve', [grown], 'GET /cnt0/one', absent, refused],
  ['std.container.retrieve', [grown, [`DELETE ${box}/la`]], `GET ${box}`, absent, refused],
  ['std.content-instance.retrieve', [unlisted, stored('one')], `GET ${box}/in/one`, absent, refused],
  ['std.latest.retrieve', [grown], `GET ${box}/latest`, absent, content({ ri: 'cin7' })],
  ['std.oldest.retrieve', [grown], `GET ${box}/oldest`, absent, content({ ri: 'cin7' })],
  ['std.delete.gone', [...goneInBin, ['PUT /cnt9', { 'm2m:cnt': { lbl: ['c'] } }]], ...gone],
  ['std.delete.gone', [...goneInBin, ['DELETE /cnt9']], ...gone],
  ['std.common.ri', [], 'POST /cse-in/app', { 'm2m:cnt': { rn: 'bin' } }, containerWith({ rn: 'bin', lbl: absent })],
  [
    'std.latest.retrieve',
    [within(), stored('one'), stored('two')],
    `GET ${box}/in/la`,
    absent,
    content({ ri: 'cin-one', rn: 'one', pi: 'cnt2' }),
  ],
  [
    'std.oldest.retrieve',
    [within(), stored('one'), stored('two')],
    `GET ${box}/in/ol`,
    absent,
    content({ ri: 'cin-two', rn: 'two', pi: 'cnt2' }),
  ],
  [
    'std.common.pi',
    [within()],
    ...([`GET ${box}/in`, absent, { body: { 'm2m:cnt': { ...inner, pi: 'Capp' } } }] as const),
  ],
];

for (const [requirement, before, line, sent, told] of wrong)
  test(`${line} answered ${JSON.stringify(told)} breaks ${requirement}${before.map(([one]) => `, after ${one}`).join('')}`, () => {
    const { broken } = judge();
    for (const step of before) broken(...step);
    const found = broken(line, sent, told);
    assert.ok(found.includes(requirement), found.join(' '));
  });

const otherType: Step = [`PUT ${box}`, { 'm2m:grp': { lbl: ['c'] } }, containerWith({ lbl: ['c'], st: 1 })];
const failed: StandardAnswer = { status: 500, code: 5003 };
const later: StandardAnswer = { status: 202, code: 1001 };
/** It may be there or not, as it was or not. */
const open: ReadonlyArray<readonly [why: string, before: readonly Step[], path: string]> = [
  ['its removal may have failed', [[`DELETE ${box}`, absent, failed]], box],
  ['its removal is done later', [[`DELETE ${box}`, absent, later]], box],
  ['its removal says another thing', [[`DELETE ${box}`, absent, { code: 2004 }]], box],
  ['its removal asks for more', [[`DELETE ${box}?rt=3`]], box],
  ['its removal asks for more than a result content', [[`DELETE ${box}?rcn=1&rt=3`]], box],
  ['its removal did not find it', [[`DELETE ${box}`, absent, refused]], box],
  ['what it stands below may be gone', [['DELETE /cse-in/app', absent, failed]], box],
  ['the method is not known', [[`PATCH ${box}`]], box],
  ['its creation may have failed', [[`POST ${box}`, { 'm2m:cnt': { rn: 'in' } }, failed]], `${box}/in`],
  ['its creation is done later', [[`POST ${box}`, { 'm2m:cnt': { rn: 'in' } }, later]], `${box}/in`],
  ['nobody knows what was updated', [grown, [`PUT ${box}`, { 'm2m:xyz': { mni: 1 } }]], `${box}/one`],
  ['a limit was set', [grown, put('', { mni: 1 })], `${box}/one`],
  ['a limit of size was set', [grown, put('', { mbs: 1 })], `${box}/one`],
  ['what can be read was changed', [grown, put('', { disr: false })], `${box}/one`],
  ['there are more than a limit permits', [within({ mni: 1 }), stored('one'), stored('two')], `${box}/in/one`],
  ['there is more than a limit permits', [within({ mbs: 3 }), stored('one'), stored('two')], `${box}/in/one`],
  ['it is read so many times only', [within(), stored('one', { dcnt: 1 })], `${box}/in/one`],
  [
    'what does not fit may cost what is there',
    [within({ mni: 3 }), stored('one'), [`POST ${box}/in`, { 'm2m:cin': { con: 'x' } }, { status: 406, code: 5207 }]],
    `${box}/in/one`,
  ],
  ['something was done with the CSE base', [['PATCH /cse-in']], box],
  ['the latest was removed', [within(), stored('one'), [`DELETE ${box}/in/la`]], `${box}/in/one`],
  ['it was created again, perhaps', [['POST /cse-in/app', { 'm2m:cnt': { rn: 'box' } }]], box],
];

for (const [why, before, path] of open)
  test(`a resource is uncertain if ${why}`, () => {
    for (const told of path === box ? [refused, containerWith({})] : [refused]) {
      const { broken } = judge();
      for (const step of before) broken(...step);
      assert.deepEqual(broken(`GET ${path}`, absent, told), []);
    }
  });

test('what may have been created may be counted in its container, or not', () => {
  const shown = (cni: number) => containerWith({ cni, cbs: 3 * cni, st: cni });
  for (const cni of [0, 1]) {
    const { broken } = judge();
    broken(`POST ${box}`, { 'm2m:cin': { con: 'abc' } }, failed);
    assert.deepEqual(broken(`GET ${box}`, absent, shown(cni)), []);
  }
  assert.ok(judge().broken(`GET ${box}`, absent, shown(1)).includes('std.container.counters'));
});

const removedInner: readonly Step[] = [within(), [`DELETE ${box}/in`]];
/** What was removed may be back, or something else have its name. */
const back: ReadonlyArray<readonly [why: string, before: readonly Step[]]> = [
  ['a notification was sent to what held it', [[`POST ${box}`, {}]]],
  ['it was asked for by an identifier that nobody knows', [['POST /xyz', { 'm2m:cnt': { rn: 'in' } }]]],
  ['its creation may have failed', [[`POST ${box}`, { 'm2m:cnt': { rn: 'in' } }, failed]]],
  ['it was created without a name', [[`POST ${box}`, { 'm2m:cnt': {} }, failed]]],
  ['members of a group were asked, whoever they are', [['POST /cse-in/app/g/fopt', one]]],
  [
    'what holds it may have been made again',
    [['DELETE /cse-in/app'], ['POST /cse-in', { 'cod:color': { rn: 'app' } }]],
  ],
];
for (const [why, before] of back)
  test(`the deletion of a resource is uncertain if ${why}`, () => {
    const { broken } = judge();
    for (const step of removedInner) broken(...step);
    const shown: StandardAnswer = { body: { 'm2m:cnt': inner } };
    const { broken: other } = judge();
    for (const step of [...removedInner, ...before]) other(...step);
    assert.deepEqual(broken(`GET ${box}/in`, absent, shown), ['std.delete.gone']);
    assert.deepEqual(other(`GET ${box}/in`, absent, shown), []);
  });

test('a resource recreated by an identifier that only a creation returned may exist again', () => {
  const back = (step: Step) => {
    const { broken } = judge();
    for (const one of [...goneInBin, step]) broken(...one);
    return broken(...gone);
  };
  assert.deepEqual(back(['POST /cnt9', { 'm2m:cnt': {} }, failed]), []);
  assert.deepEqual(back([`POST ${box}`, { 'm2m:cnt': {} }, failed]), ['std.delete.gone']);
});

test('a creation below an unconfirmed identifier may have taken a name', () => {
  const told = (ri: string): StandardAnswer => ({ body: { 'm2m:cnt': { ...inner, ri, pi: 'cnt9' } } });
  const after = (rn: string) => {
    const { broken } = judge();
    broken(...binMade);
    broken('POST /cse-in/app/bin', { 'm2m:cnt': { rn: 'in' } }, told('cnt2'));
    broken('POST /cnt9', { 'm2m:cnt': { rn } });
    return broken('GET /cse-in/app/bin/in', absent, told('cnt8'));
  };
  assert.deepEqual(after('in'), []);
  assert.deepEqual(after('other'), ['std.common.ri']);
});

test('latest below an identifier is that of the identified container', () => {
  const { broken } = judge();
  for (const step of [within(), stored('one'), grown]) broken(...step);
  const [deep, own] = [content({ ri: 'cin-one', pi: 'cnt2' }), content({})];
  assert.deepEqual(broken('GET /cnt0/in/la', absent, deep), []);
  assert.deepEqual(broken('GET /cnt0/la', absent, own), []);
  assert.ok(broken('GET /cnt0/la', absent, deep).includes('std.latest.retrieve'));
});

test('forgetting all resources includes the CSE base', () => {
  const base = (srt: number): StandardAnswer => ({
    body: { 'm2m:cb': { ct: times.ct, lt: times.lt, ri: 'cb0', rn: 'cse-in', ty: 5, csi: '/id-in', srt: [srt] } },
  });
  for (const [isForgotten, expected] of [
    [true, []],
    [false, ['std.every.attribute.stays']],
  ] as const) {
    const { broken, judging } = judge();
    assert.deepEqual(broken('GET /cse-in', absent, base(2)), []);
    if (isForgotten) judging.forget();
    assert.deepEqual(broken('GET /cse-in', absent, base(3)), expected);
  }
});

test('of two concurrently created instances neither is certainly the latest', () => {
  const latest = (isTwin: boolean) => {
    const { broken, judging } = judge();
    broken(...within());
    for (const rn of ['one', 'two'])
      judging.judge(exchange(...(stored(rn) as [string, Readonly<Record<string, unknown>>, StandardAnswer])), {
        isConcurrent: isTwin,
      });
    return broken(`GET ${box}/in/la`, absent, content({ ri: 'cin-one', rn: 'one', pi: 'cnt2' }));
  };
  assert.ok(latest(false).includes('std.latest.retrieve'));
  assert.deepEqual(latest(true), []);
});

test('ignored, forgotten or unusually written requests make resources uncertain', () => {
  const after = (change: (judging: ReturnType<typeof judge>['judging']) => unknown) => {
    const { broken, judging } = judge();
    change(judging);
    return broken(`GET ${box}`, absent, refused);
  };
  const removal = exchange(`DELETE ${box}`, absent, failed);
  const read = exchange(`GET ${box}`, absent, containerWith({}));
  assert.deepEqual(
    after((judging) => judging.noteOnly(read)),
    ['std.container.retrieve'],
  );
  assert.deepEqual(
    after((judging) => judging.noteOnly(removal)),
    [],
  );
  assert.deepEqual(
    after((judging) => judging.forget()),
    [],
  );
  assert.deepEqual(
    after((judging) => judging.doubtAll()),
    [],
  );
  const letters = { ...read, request: { ...read.request, exactBytes: true as const } };
  assert.deepEqual(
    after((judging) => judging.judge(letters)),
    [],
  );
});

test('an unusual request may be refused', () => {
  const { judging } = judge();
  assert.deepEqual(
    judging.judge(exchange(`GET ${box}`, absent, { status: 400, code: 4000 }), { isOrdinary: false }),
    [],
  );
});

test('another certificate is another sender', () => {
  const { judging } = judge();
  const presented = { ...exchange(`GET ${box}`, absent, { status: 403, code: 4103 }), certificate: 'own' };
  assert.deepEqual(judging.judge(presented), []);
});

test('an update with other query parameters, or of another type, need not count', () => {
  const updates = [...['?rcn=1&rt=3', '?rt=3'].map((query) => put(query, { lbl: ['c'] })), otherType];
  for (const update of updates)
    for (const shown of [containerWith({}), containerWith({ lbl: ['c'], st: 1 })]) {
      const { broken } = judge();
      broken(...update);
      assert.deepEqual(broken(`GET ${box}`, absent, shown), [], update[0]);
    }
});

test('the number of instances in a container with a limit is uncertain until each was retrieved', () => {
  const counted = (...before: readonly Step[]) => {
    const { broken } = judge();
    for (const step of [within({ mni: 9 }), stored('one'), ...before]) broken(...step);
    return broken(`GET ${box}/in`, absent, { body: { 'm2m:cnt': { ...inner, mni: 9, cni: 0, cbs: 0, st: 1 } } });
  };
  const read: Step = [`GET ${box}/in/one`, absent, content({ rn: 'one', ri: 'cin-one', pi: 'cnt2' })];
  // The CSE may have set a lower one.
  assert.deepEqual(counted(), []);
  assert.deepEqual(counted(read), ['std.container.cni.grows', 'std.container.cbs.grows']);
});

test('of many resources the oldest without children are forgotten, and then nothing is counted', () => {
  const of = (names: string[], parent?: KnownResource) =>
    ({ names, state: 'there', children: [], isComplete: true, parent }) as unknown as KnownResource;
  const top = of(['top']);
  const all = Array.from({ length: 2_000 }, (_, at) => of(['top', `${at}`], top));
  top.children.push(...all);
  const held = new Map([top, ...all].slice(0, 2_000).map((one) => [one.names.join(), one]));
  assert.equal(keepLatest(held), false);
  held.set('top,1999', all[1_999] as KnownResource);
  assert.equal(keepLatest(held), true);
  assert.deepEqual([held.size, held.has('top'), held.has('top,499'), held.has('top,500')], [1_501, true, false, true]);
  assert.deepEqual([top.children.length, top.isComplete], [1_500, false]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseOptions } from '../../cse/create-cse.ts';
import { manualClock } from '../../environment/clock.ts';
import { exampleMoment, sampleCse } from '../../testing/sample-cse.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import { CseError, statuses } from '../status.ts';

interface MemberResponse {
  readonly rsc: number;
  readonly rqi: string;
  readonly rvi?: string;
  readonly to?: string;
  readonly fr?: string;
  readonly pc?: Record<string, Record<string, unknown>>;
}

/** An AE `Cme` with two containers and a group `g` of them. */
async function lab(options: CseOptions = {}) {
  const clock = manualClock(exampleMoment);
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', spId: 'sp', clock, ...options });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({
      operation: 'retrieve',
      to: 'b/me/g/fopt',
      from: 'Cme',
      requestIdentifier: 'r1',
      ...request,
    });
    const content = JSON.parse(JSON.stringify(answer.content ?? {}));
    const responses = (content['m2m:agr']?.['m2m:rsp'] ?? []) as readonly MemberResponse[];
    return { code: answer.status.code, content, responses };
  };
  const make = async (to: string, content: Record<string, object>, from = 'Cme') => {
    const made = await ask({ operation: 'create', to, from, content });
    assert.equal(made.code, 2001, JSON.stringify(made.content));
    return String((Object.values(made.content)[0] as { ri: unknown }).ri);
  };
  const group = (rn: string, mid: readonly string[], more: object = {}) =>
    make('b/me', { 'm2m:grp': { rn, mnm: 9, mid, ...more } });
  await make('b', { 'm2m:ae': { rn: 'me', api: 'N', rr: true } });
  await make('b', { 'm2m:ae': { rn: 'other', api: 'N', rr: true } }, 'Cother');
  const members = [await make('b/me', { 'm2m:cnt': { rn: 'c1' } }), await make('b/me', { 'm2m:cnt': { rn: 'c2' } })];
  await group('g', members);
  return { cse, clock, ask, make, group, members };
}

const instance = { operation: 'create', content: { 'm2m:cin': { con: 'x' } } } as const;
const codes = (responses: readonly MemberResponse[]) => responses.map(({ rsc }) => rsc);

test('each operation reaches each member, and the answers come in the order of the members', async () => {
  const { ask, members } = await lab();
  const created = await ask({ ...instance, releaseVersionIndicator: '3' });
  assert.deepEqual([created.code, codes(created.responses)], [2000, [2001, 2001]]);
  for (const [place, { rqi, rvi, fr, pc }] of created.responses.entries()) {
    assert.deepEqual(
      [rqi, rvi, fr, pc?.['m2m:cin']?.con, pc?.['m2m:cin']?.pi],
      ['r1', '3', members[place], 'x', members[place]],
    );
  }
  const retrieved = await ask({});
  assert.deepEqual(
    retrieved.responses.map(({ pc }) => pc?.['m2m:cnt']?.cni),
    [1, 1],
  );
  const updated = await ask({ operation: 'update', content: { 'm2m:cnt': { lbl: ['x'] } } });
  assert.deepEqual([updated.code, codes(updated.responses)], [2000, [2004, 2004]]);
  const deleted = await ask({ operation: 'delete' });
  assert.deepEqual([deleted.code, codes(deleted.responses)], [2000, [2002, 2002]]);
  assert.equal((await ask({})).code, 4109);
});

test('a type unknown here is up to the members, for originators that may create below them', async () => {
  const { ask } = await lab({ requireAuth: true });
  const create = { operation: 'create', content: { 'm2m:sch': {} }, resourceType: 18 } as const;
  const { code, responses } = await ask(create);
  assert.deepEqual([code, codes(responses)], [2000, [5001, 5001]]);
  assert.equal((await ask({ ...create, from: 'Cother' })).code, 4103);
});

test('the address in an answer leads to its resource', async () => {
  const { ask } = await lab();
  for (const { to, pc } of (await ask(instance)).responses) {
    assert.deepEqual((await ask({ to: String(to) })).content, pc);
  }
});

test('a path behind the fan-out point goes on from each member', async () => {
  const { ask, make, group } = await lab();
  await ask(instance);
  const newest = await ask({ to: 'b/me/g/fopt/la' });
  assert.deepEqual(
    newest.responses.map(({ rsc, pc }) => [rsc, pc?.['m2m:cin']?.con]),
    [
      [2000, 'x'],
      [2000, 'x'],
    ],
  );
  await make('b/me/c1', { 'm2m:cnt': { rn: 'deep' } });
  assert.deepEqual(codes((await ask({ to: 'b/me/g/fopt/deep' })).responses), [2000, 4004]);
  await group('h', ['b/me']);
  const below = await ask({ ...instance, to: 'b/me/h/fopt/c1' });
  assert.deepEqual(codes(below.responses), [2001]);
});

test('the fan-out point answers in the documented dialect, too', async () => {
  const { ask } = await lab({ dialect: 'documented' });
  const { code, responses } = await ask(instance);
  assert.deepEqual([code, codes(responses), responses.map(({ fr }) => fr)], [2000, [2001, 2001], ['cnt0', 'cnt1']]);
});

test('a member refuses for itself, with what it says', async () => {
  const { ask, make, members, group } = await lab();
  await make('b', {
    'm2m:acp': { rn: 'p', pv: { acr: [{ acor: ['Cother'], acop: 63 }] }, pvs: { acr: [{ acor: ['Cme'], acop: 63 }] } },
  });
  await group('open', members, { acpi: ['b/p'] });
  const { code, responses } = await ask({ to: 'b/me/open/fopt', from: 'Cother' });
  assert.deepEqual([code, codes(responses)], [2000, [4103, 4103]]);
  assert.match(JSON.stringify(responses[0]?.pc), /Cother/);
});

test('the policies of macp decide who may use the fan-out point; without it those of the group', async () => {
  const { ask, make, members, group } = await lab();
  const rules = (acor: string, acop: number) => ({ acr: [{ acor: [acor], acop }] });
  const policy = (rn: string, acop: number) =>
    make('b', { 'm2m:acp': { rn, pv: rules('Cother', acop), pvs: rules('Cme', 63) } });
  await policy('all', 63);
  await policy('reads', 2);
  await group('closed', members);
  await group('byMacp', members, { macp: ['b/all'] });
  await group('byAcpi', members, { acpi: ['b/all'] });
  await group('readable', members, { acpi: ['b/all'], macp: ['b/reads'] });
  const code = async (rn: string, request: Partial<RequestPrimitive>) =>
    (await ask({ ...request, to: `b/me/${rn}/fopt`, from: 'Cother' })).code;
  for (const request of [
    instance,
    {},
    { operation: 'update', content: { 'm2m:cnt': {} } },
    { operation: 'delete' },
  ] as const) {
    const operation = 'operation' in request ? request.operation : 'retrieve';
    assert.equal(await code('closed', request), 4103, operation);
    assert.equal(await code('byMacp', request), 2000, operation);
    assert.equal(await code('byAcpi', request), 2000, operation);
    assert.equal(await code('readable', request), operation === 'retrieve' ? 2000 : 4103, operation);
  }
  assert.equal(await code('byMacp', { operation: 'retrieve', to: 'b/me/byMacp' }), 2000);
  assert.equal((await ask({ to: 'b/me/byMacp', from: 'Cother' })).code, 4103);
});

test('groups in groups: what is reached twice acts once', async () => {
  const { ask, group, members } = await lab();
  await group('h', [members[0] ?? '']);
  await group('outer', ['b/me/g/fopt', 'b/me/h/fopt']);
  const { responses } = await ask({ ...instance, to: 'b/me/outer/fopt' });
  const inner = responses.map(({ pc }) => codes((pc?.['m2m:agr']?.['m2m:rsp'] ?? []) as MemberResponse[]));
  assert.deepEqual(inner, [[2001, 2001], [4104]]);
  const second = await ask({ ...instance, to: 'b/me/outer/fopt' });
  assert.deepEqual(codes(second.responses), [2000, 2000]);
  assert.equal((await ask({ to: 'b/me/c1' })).content['m2m:cnt'].cni, 2);
});

test('groups in a circle come to an end', async () => {
  const { ask, group } = await lab();
  await group('h', ['b/me/g/fopt']);
  await ask({ operation: 'update', to: 'b/me/g', content: { 'm2m:grp': { mid: ['b/me/h/fopt', 'b/me/c1'] } } });
  const { responses } = await ask({ ...instance });
  assert.deepEqual(codes(responses), [2000, 2001]);
  assert.deepEqual(codes(responses[0]?.pc?.['m2m:agr']?.['m2m:rsp'] as unknown as MemberResponse[]), [4104]);
});

test('a group request identifier that has been here before is refused, for a minute', async () => {
  const { ask, clock } = await lab();
  const request = { ...instance, groupRequestIdentifier: 'fan-out-7' };
  assert.deepEqual(codes((await ask(request)).responses), [2001, 2001]);
  const { code, content } = await ask(request);
  assert.deepEqual([code, content['m2m:dbg']], [4104, 'This fan-out of a group has reached the resource already.']);
  await clock.advance('1m');
  assert.equal((await ask(request)).code, 2000);
});

test('the identifier of a fan-out of its own is forgotten once it is answered', async () => {
  const texts: string[] = [];
  const randomText = (length: number) => {
    texts.push(String(texts.length).padStart(length, '0'));
    return texts.at(-1) ?? '';
  };
  const { ask, group } = await lab({ randomText });
  await group('h', ['b/me/g/fopt']);
  const before = texts.length;
  const instances = { ...instance, to: 'b/me/h/fopt' };
  assert.equal((await ask(instances)).code, 2000);
  const known = texts.slice(before).filter((text) => text.length === 16);
  assert.ok(known.length > 0);
  for (const groupRequestIdentifier of known)
    assert.equal((await ask({ ...instances, groupRequestIdentifier })).code, 2000);
});

/** The lab with a remote CSE `/far`, whose containers are members of the group `mixed`, too. */
async function withRemote(answer: (request: RequestPrimitive) => Promise<ResponsePrimitive>, options: CseOptions = {}) {
  const sent: RequestPrimitive[] = [];
  const all = await lab({
    ...options,
    messenger: {
      async send(_url, request) {
        sent.push(request);
        return answer(request);
      },
    },
  });
  await all.make('b', { 'm2m:csr': { cb: '/far/b', csi: '/far', rr: true, poa: ['http://far'] } }, '/far');
  await all.group('mixed', ['/far/cnt7', 'b/me/c1']);
  sent.length = 0;
  return { ...all, sent };
}

test('members at other CSEs get the request from the originator, and answer in their place', async () => {
  const { ask, sent } = await withRemote(async () => ({
    status: statuses.CREATED,
    content: { 'm2m:cin': { ri: 'far' } },
  }));
  const { responses } = await ask({ ...instance, to: 'b/me/mixed/fopt/deep' });
  assert.deepEqual([sent[0]?.to, sent[0]?.from, sent[0]?.operation], ['/far/cnt7/deep', '/c/Cme', 'create']);
  assert.deepEqual(codes(responses), [2001, 4004]);
  assert.deepEqual(responses[0]?.pc, { 'm2m:cin': { ri: 'far' } });
});

test('an unreachable member does not affect the others', async () => {
  const { ask } = await withRemote(async () => {
    throw new CseError('TARGET_NOT_REACHABLE', 'Nobody is there.');
  });
  const { code, responses } = await ask({ ...instance, to: 'b/me/mixed/fopt' });
  assert.deepEqual([code, codes(responses)], [2000, [5103, 2001]]);
});

test('members at other CSEs that were deleted leave the group; what a virtual resource led to does not', async () => {
  const { ask, group } = await withRemote(async ({ operation }) =>
    operation === 'delete' ? { status: statuses.DELETED } : { status: statuses.OK, content: { 'm2m:cnt': { ty: 3 } } },
  );
  const members = async () => (await ask({ to: 'b/me/remote' })).content['m2m:grp'].mid;
  await group('remote', ['/far/cnt7', '/far/cnt8/la', 'b/me/c1']);
  await ask({ operation: 'delete', to: 'b/me/remote/fopt/la' });
  assert.equal((await members()).length, 3);
  const { responses } = await ask({ operation: 'delete', to: 'b/me/remote/fopt' });
  assert.deepEqual(codes(responses), [2002, 2002, 2002]);
  assert.deepEqual(await members(), ['/far/cnt8/la']);
});

test('the answer does not wait for members beyond the time at which the result expires', async () => {
  let silent = false;
  const never = () => new Promise<ResponsePrimitive>(() => {});
  const { ask, clock, group } = await withRemote(async () =>
    silent ? never() : { status: statuses.OK, content: { 'm2m:cnt': { ty: 3 } } },
  );
  await group('alone', ['/far/cnt7']);
  silent = true;
  const resultExpiration = exampleMoment + 5_000_000;
  const mixed = ask({ to: 'b/me/mixed/fopt', resultExpiration });
  const alone = ask({ to: 'b/me/alone/fopt', resultExpiration });
  await clock.advance('5s');
  assert.deepEqual(codes((await mixed).responses), [2000]);
  assert.equal((await alone).code, 5209);
});

test('notifications of subscriptions created through a group are aggregated', async () => {
  const sent: { url: string; content: unknown }[] = [];
  const { ask, group, members, clock } = await lab({
    messenger: {
      async send(url, { content }) {
        sent.push({ url, content: JSON.parse(JSON.stringify(content)) });
        return { status: statuses.OK };
      },
    },
  });
  await group('h', members, { nar: { num: 3, dur: 'PT1M' } });
  const nfu = 'http://inbox/all';
  const subscription = { rn: 's', nu: ['http://never'], nfu, enc: { net: [3] } };
  const made = await ask({ operation: 'create', to: 'b/me/h/fopt', content: { 'm2m:sub': subscription } });
  assert.deepEqual(codes(made.responses), [2001, 2001], JSON.stringify(made.content));
  const { ri } = (await ask({ to: 'b/me/h' })).content['m2m:grp'];
  assert.deepEqual(made.responses[0]?.pc?.['m2m:sub']?.nu, [`/c/${ri}/fopt`]);
  assert.deepEqual(sent, []);
  const notify = (sur: string, to = 'b/me/h/fopt', where = nfu) =>
    ask({ operation: 'notify', to, from: '/c', content: { 'm2m:sgn': { nev: { net: 3 }, sur, nfu: where } } });
  for (const sur of ['1', '2', '3', '4']) assert.equal((await notify(sur)).code, 2000);
  const arrived = () =>
    sent.map(({ url, content }) => [
      url,
      (content as { 'm2m:agn': { 'm2m:sgn': { sur: string }[] } })['m2m:agn']['m2m:sgn'].map(({ sur }) => sur),
    ]);
  assert.deepEqual(arrived(), [[nfu, ['1', '2', '3']]]);
  await clock.advance('1m');
  assert.deepEqual(arrived()[1], [nfu, ['4']]);
  const strange = { 'm2m:sgn': { nev: { net: 3 }, sur: '6', nfu } };
  const refused = await ask({ operation: 'notify', to: 'b/me/h/fopt', from: '/stranger', content: strange });
  assert.equal(refused.code, 4103);
  // Where nobody has asked for it nothing is gathered: it goes to the members, which take no notifications.
  const elsewhere = await notify('5', 'b/me/h/fopt', 'http://other');
  assert.deepEqual(codes(elsewhere.responses), [4005, 4005]);
});

test('what happens below the members arrives as one notification', async () => {
  const sent: unknown[] = [];
  const { ask, cse } = await lab({
    messenger: {
      async send(url, { content }) {
        sent.push([url, JSON.parse(JSON.stringify(content))]);
        return { status: statuses.OK };
      },
    },
  });
  const subscription = { nu: ['http://never'], nfu: 'http://inbox/all', enc: { net: [3] } };
  await ask({ operation: 'create', content: { 'm2m:sub': subscription } });
  await ask(instance);
  await cse.core.services.notifier.settled();
  const [[url, content] = []] = sent as [string, { 'm2m:agn': { 'm2m:sgn': { nev: { net: number } }[] } }][];
  assert.equal(url, 'http://inbox/all');
  assert.deepEqual(
    content?.['m2m:agn']['m2m:sgn'].map(({ nev }) => nev.net),
    [3, 3],
  );
  assert.equal(sent.length, 1);
});

/** Notifications of members, handed on to `http://inbox`, with the settings of the group. */
async function gathering(group: object) {
  const sent: number[] = [];
  const all = await lab({
    messenger: {
      async send(_url, { content }) {
        sent.push((content as { 'm2m:agn': { 'm2m:sgn': [] } })['m2m:agn']['m2m:sgn'].length);
        return { status: statuses.OK };
      },
    },
  });
  await all.group('h', all.members, group);
  const nfu = 'http://inbox';
  const subscription = { 'm2m:sub': { nu: ['http://never'], nfu, enc: { net: [3] } } };
  await all.ask({ operation: 'create', to: 'b/me/h/fopt', content: subscription });
  const notify = (sgn: object) =>
    all.ask({ operation: 'notify', to: 'b/me/h/fopt', from: '/c', content: { 'm2m:sgn': sgn } });
  return { ...all, sent, notify, event: () => notify({ nev: { net: 3 }, sur: 's', nfu }) };
}

for (const [group, number, seconds] of [
  [{}, 2, 5],
  [{ nar: { num: 3 } }, 3, 5],
  [{ nar: { dur: 'PT20S' } }, 2, 20],
] as const) {
  const settings = JSON.stringify(group);
  test(`a group with ${settings} hands on ${number} notifications, or what there is after ${seconds} s`, async () => {
    const { sent, event, clock } = await gathering(group);
    for (let one = 1; one < number; one++) await event();
    assert.deepEqual(sent, []);
    await event();
    assert.deepEqual(sent, [number]);
    await event();
    await clock.advance(`${seconds - 1}s`);
    assert.deepEqual(sent, [number]);
    await clock.advance('1s');
    assert.deepEqual(sent, [number, 1]);
  });
}

test('a subscription can name the forwarding target by the long name, too', async () => {
  const { ask, members } = await gathering({});
  const long = { notificationURI: ['http://never'], notificationForwardingURI: 'http://inbox', enc: { net: [3] } };
  const made = await ask({ operation: 'create', to: 'b/me/h/fopt', content: { 'm2m:sub': long } });
  const { ri } = (await ask({ to: 'b/me/h' })).content['m2m:grp'];
  assert.deepEqual(
    made.responses.map(({ pc }) => [pc?.['m2m:sub']?.nu, pc?.['m2m:sub']?.nfu]),
    members.map(() => [[`/c/${ri}/fopt`], 'http://inbox']),
  );
});

test('a gathering fan-out point answers verifications of members itself', async () => {
  const { notify, sent } = await gathering({});
  const { code, responses } = await notify({ vrq: true, sur: 's' });
  assert.deepEqual([code, responses, sent], [2000, [], []]);
});

test('a notification of an AE to a fan-out point is for the members, which refuse it', async () => {
  const { ask, sent } = await gathering({});
  const content = { 'm2m:sgn': { nev: { net: 3 }, sur: 's', nfu: 'http://inbox' } };
  const { responses } = await ask({ operation: 'notify', to: 'b/me/h/fopt', content });
  assert.deepEqual([codes(responses), sent], [[4005, 4005], []]);
});

test('the removal of a member is a change of the group, at its time', async () => {
  const clock = manualClock(exampleMoment);
  const sent: { mid: unknown; cnm: unknown; lt: string }[] = [];
  const messenger: CseOptions['messenger'] = {
    async send(_url, { content }) {
      sent.push(JSON.parse(JSON.stringify(content))['m2m:sgn'].nev?.rep['m2m:grp']);
      return { status: statuses.DELETED };
    },
  };
  const { ask, make, group, members, cse } = await lab({ clock, messenger });
  await make('b', { 'm2m:csr': { cb: '/far/b', csi: '/far', rr: true, poa: ['http://far'] } }, '/far');
  await group('all', [...members, await make('b/me', { 'm2m:cnt': { rn: 'c3' } })]);
  await ask({ operation: 'update', to: 'b/me/all', content: { 'm2m:grp': { mid: [...members, '/far/cnt7'] } } });
  for (const name of ['cnm', 'mid'])
    await make('b/me/all', { 'm2m:sub': { rn: name, nu: ['http://x'], nct: 2, enc: { net: [1], atr: [name] } } });
  sent.length = 0;
  await clock.advance('1m');
  for (const name of ['c1', 'c3']) await ask({ operation: 'delete', to: `b/me/${name}` });
  await cse.core.services.notifier.settled();
  for (const { mid, cnm, lt } of sent) {
    assert.deepEqual([mid, cnm, lt.slice(0, 15)], [[members[1], '/far/cnt7'], 2, '20170302T161353']);
  }
  assert.equal(sent.length, 2);
});

test('a discovery through a group needs the right to discover', async () => {
  const { ask, make, group, members } = await lab();
  const rules = (acor: string, acop: number) => ({ acr: [{ acor: [acor], acop }] });
  await make('b', { 'm2m:acp': { rn: 'finds', pv: rules('Cother', 32), pvs: rules('Cme', 63) } });
  await group('h', members, { macp: ['b/finds'] });
  const request = { to: 'b/me/h/fopt', from: 'Cother' } as const;
  assert.equal((await ask({ ...request, filterCriteria: { filterUsage: 1 } })).code, 2000);
  assert.equal((await ask({ ...request, filterCriteria: { filterUsage: 2 } })).code, 4103);
  assert.equal((await ask(request)).code, 4103);
});

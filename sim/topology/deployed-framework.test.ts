/**
 * What a deployed application framework sends, in its order and with its ways: every attribute, most of them null or an empty list,
 * long names in event criteria, `content-type: None`, rcn=5 beside fu=1. And what it needs: a full representation with nothing in
 * it that it does not know, a response status code, and in a notification the path that it used itself.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startPair } from './pair.ts';

/** The attributes that the framework's decoder takes. */
const known: Readonly<Record<string, string>> = {
  'm2m:ae': 'ae aei api acpi at aa apn ch csz ct daci et lbl lt nl or pi poa rr ri rn ty',
  'm2m:cnt': 'acpi at aa ch ct cr cbs cni daci et lbl lt la li mbs mia mni ol or pi ri rn ty st',
  'm2m:cin': 'at aa ch con cnf cs ct cr et lbl lt or pi ri rn ty st',
  'm2m:cb': 'csi acpi ch ct cst lbl lt nl pi poa ri rn ty srt',
  'm2m:sub': 'acpi bn ch ct cr daci enc exc et gpi lbl lt ln nct nec nfu nsp nu pi pn psn rl ri rn ty su',
  'm2m:csr': 'csr cb csi mei tri acpi at aa ch ct cst daci et lbl lt nl pi poa rr ri rn ty',
};

const nothing = { acpi: [], at: null, aa: null, ch: [], ct: null, daci: [], lt: null, pi: null, ri: null, ty: null };

function checkKnown(json: unknown): void {
  const [root, attributes] = Object.entries(json as Record<string, object>)[0] ?? ['', {}];
  const names = known[root]?.split(' ');
  assert(names !== undefined, `${root} is a kind that the framework knows`);
  for (const name of Object.keys(attributes))
    assert(names.includes(name), `${root} shows ${name}, which the framework does not know`);
}

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { 'm2m:sgn': Record<string, unknown> };
}

/** The framework's own server: answers 200 to everything, as it does. */
async function pointOfAccess() {
  const received: Received[] = [];
  const waiting: Array<() => void> = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    received.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
    response.writeHead(200, { 'x-m2m-rsc': '2000', 'x-m2m-ri': request.headers['x-m2m-ri'] ?? '' }).end();
    for (const wake of waiting.splice(0)) wake();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const until = async (count: number) => {
    while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, until, close };
}

for (const prefix of ['', '//openmtc.org/mn-cse-1/']) {
  const form = prefix === '' ? 'CSE-relative' : 'absolute';
  test(`a deployed application framework, ${form} originator, finds everything it needs`, async (t) => {
    await using pair = await startPair();
    const { gateway } = pair;
    const poa = await pointOfAccess();
    t.after(poa.close);
    const originator = `${prefix}CTestIPE`;
    let number = 0;
    const send = async (method: string, path: string, ty: number | undefined, body?: unknown) => {
      const answer = await fetch(`${gateway.url}${path}`, {
        method,
        headers: {
          'x-m2m-origin': originator,
          'x-m2m-ri': `request-${++number}`,
          'x-m2m-rvi': '2a',
          accept: 'application/json',
          'content-type':
            body === undefined ? 'None' : `application/json; charset=utf-8${ty === undefined ? '' : `; ty=${ty}`}`,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert(answer.headers.get('x-m2m-rsc') !== null);
      assert.equal(answer.headers.get('x-m2m-ri'), `request-${number}`);
      if (text !== '') assert.match(answer.headers.get('content-type') ?? '', /json/);
      return {
        status: answer.status,
        rsc: answer.headers.get('x-m2m-rsc'),
        json: text === '' ? undefined : JSON.parse(text),
      };
    };
    const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString().replace('Z', '000+00:00');

    const ae = {
      ...nothing,
      aei: null,
      api: 'dummy',
      apn: null,
      csz: null,
      et: soon(3600),
      lbl: [],
      nl: null,
      or: null,
    };
    const registered = await send('POST', '/onem2m', 2, {
      'm2m:ae': { ...ae, poa: [poa.url], rr: true, rn: 'TestIPE' },
    });
    assert.deepEqual([registered.status, registered.rsc, registered.json['m2m:ae'].rn], [201, '2001', 'TestIPE']);
    checkKnown(registered.json);
    checkKnown((await send('GET', '/onem2m/TestIPE?rcn=5', undefined)).json);
    checkKnown((await send('GET', '/onem2m?rcn=5', undefined)).json);

    const cnt = {
      ...nothing,
      cr: null,
      cbs: null,
      cni: null,
      la: null,
      li: null,
      mbs: null,
      mia: null,
      ol: null,
      or: null,
      st: null,
    };
    const container = { ...cnt, rn: 'commands', lbl: ['openmtc:actuator_data'], mni: 3, et: soon(3600) };
    const created = await send('POST', '/onem2m/TestIPE', 3, { 'm2m:cnt': container });
    assert.deepEqual([created.status, created.json['m2m:cnt'].rn], [201, 'commands']);
    checkKnown(created.json);

    checkKnown((await send('GET', '/onem2m/TestIPE/commands?rcn=5', undefined)).json);
    const enc = {
      attribute: null,
      createdAfter: null,
      createdBefore: null,
      operationMonitor: null,
      notificationEventType: [3],
    };
    const sub = {
      ...nothing,
      bn: null,
      cr: null,
      enc,
      et: null,
      exc: null,
      gpi: null,
      lbl: [],
      ln: null,
      nct: null,
      nec: null,
      nfu: null,
    };
    const subscribed = await send('POST', '/onem2m/TestIPE/commands', 23, {
      'm2m:sub': { ...sub, nsp: null, nu: [originator], pn: null, psn: null, rl: null, rn: null, su: originator },
    });
    assert.equal(subscribed.status, 201, JSON.stringify(subscribed));
    checkKnown(subscribed.json);
    const subPath = `/onem2m/TestIPE/commands/${subscribed.json['m2m:sub'].rn}`;

    const cin = { ...nothing, cs: null, cr: null, et: null, lbl: [], or: null, rn: null, st: null };
    const con = Buffer.from(JSON.stringify({ v: 21 })).toString('base64');
    const pushed = await send('POST', '/onem2m/TestIPE/commands', 4, {
      'm2m:cin': { ...cin, con, cnf: 'application/json:1' },
    });
    assert.deepEqual(
      [pushed.status, pushed.json['m2m:cin'].con, pushed.json['m2m:cin'].cnf],
      [201, con, 'application/json:1'],
    );
    checkKnown(pushed.json);

    await poa.until(1);
    const [notification] = poa.received;
    assert(notification !== undefined);
    assert.equal(notification.path, '/');
    for (const header of ['x-m2m-origin', 'x-m2m-ri']) assert(notification.headers[header] !== undefined, header);
    assert.match(notification.headers['content-type'] ?? '', /^application\/(vnd\.onem2m-(ntfy|res)\+)?json/);
    const { sur, nev } = notification.body['m2m:sgn'] as { sur: string; nev: { rep: { 'm2m:cin': { con: string } } } };
    assert.equal(sur, prefix === '' ? subPath.slice(1) : `//openmtc.org/mn-cse-1${subPath}`);
    assert.equal(nev.rep['m2m:cin'].con, con);
    checkKnown(nev.rep);

    checkKnown((await send('GET', '/onem2m/TestIPE/commands/la?rcn=5', undefined)).json);
    const found = await send('GET', '/onem2m?drt=1&rcn=5&fu=1&lbl=openmtc:actuator_data', undefined);
    assert.deepEqual(found.json, { 'm2m:uril': ['onem2m/TestIPE/commands'] });
    const since = encodeURIComponent(new Date().toISOString().replace('T', ' ').replace('Z', '000+00:00')).replaceAll(
      '%20',
      '+',
    );
    const later = await send(
      'GET',
      `/~/mn-cse-1/onem2m?drt=1&rcn=5&fu=1&lbl=openmtc:actuator_data&cra=${since}`,
      undefined,
    );
    assert.deepEqual(later.json, { 'm2m:uril': [] });

    for (const [path, body] of [
      ['/onem2m/TestIPE', { 'm2m:ae': { ...ae, api: null, poa: [], rr: null, rn: null, et: soon(1200) } }],
      ['/onem2m/TestIPE/commands', { 'm2m:cnt': { ...cnt, lbl: [], mni: null, rn: null, et: soon(1200) } }],
    ] as const) {
      const renewed = await send('PUT', path, undefined, body);
      assert.deepEqual([renewed.status, renewed.rsc], [200, '2004'], path);
      checkKnown(renewed.json);
    }
    const kept = (await send('GET', '/onem2m/TestIPE/commands', undefined)).json['m2m:cnt'];
    assert.deepEqual([kept.mni, kept.lbl], [3, ['openmtc:actuator_data']]);

    const again = await send('POST', '/onem2m', 2, { 'm2m:ae': { ...ae, poa: [poa.url], rr: true, rn: 'TestIPE' } });
    assert.deepEqual([again.status, again.rsc], [409, '4105']);
    assert.equal((await send('DELETE', subPath, undefined)).rsc, '2002');
    await poa.until(2);
    assert.equal(poa.received[1]?.body['m2m:sgn'].sud, true);
    assert.equal((await send('DELETE', '/onem2m/TestIPE', undefined)).rsc, '2002');
    assert.equal((await send('GET', '/onem2m/TestIPE', undefined)).status, 404);
  });
}

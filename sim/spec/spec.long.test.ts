/** The documents as their users have them: a client that is made of one works at the CSE, and what goes over wires fits. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { WebSocket } from 'ws';
import { serveHttp } from '../bindings/http.ts';
import { createCse } from '../cse/create-cse.ts';
import { startInbox } from '../inbox/start-inbox.ts';
import { serveWs } from '../ws.ts';

type Dialect = 'documented' | 'onem2m';

interface Json {
  readonly [name: string]: Json;
}

const project = fileURLToPath(new URL('../..', import.meta.url));

function written(kind: 'openapi' | 'asyncapi', dialect: Dialect): Json {
  const args = ['--import', 'tsx', 'cli.ts', 'spec', kind, '--dialect', dialect];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 24 }));
}

/** Validates against what a JSON pointer names in the document. */
function validators(document: Json) {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document, 'document');
  return (...way: readonly string[]): ValidateFunction => {
    const pointer = way.map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    return ajv.getSchema(`document#/${pointer}`) ?? assert.fail(way.join('/'));
  };
}

function assertFits(validate: ValidateFunction, value: unknown): void {
  const problems = (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${instancePath} ${message}`);
  assert.ok(validate(value), `${JSON.stringify(value).slice(0, 300)}: ${problems.join(', ')}`);
}

interface Asked {
  readonly path: readonly string[];
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
}

/** A client that knows no more than the document: it finds operation, path, parameters and content type there, and judges the answer. */
function clientOf(document: Json, url: string, headers: Readonly<Record<string, string>>) {
  const validatorAt = validators(document);
  const bodyOf = (way: readonly string[], content: Json, body: object) => {
    const type = Object.keys(content).find((one) => validatorAt(...way, 'requestBody', 'content', one, 'schema')(body));
    return type === undefined
      ? assert.fail(`no content fits ${JSON.stringify(body)}`)
      : { type, text: JSON.stringify(body) };
  };
  const judged = async (way: readonly string[], responses: Json, answer: Response) => {
    const status = answer.ok ? String(answer.status) : `${String(answer.status)[0]}XX`;
    const rsc = validatorAt(...way, 'responses', status, 'headers', 'X-M2M-RSC', 'schema');
    assertFits(rsc, Number(answer.headers.get('X-M2M-RSC')));
    const [media = ''] = Object.keys(responses[status]?.content ?? {});
    assert.equal(answer.headers.get('content-type') ?? media, media);
    const text = await answer.text();
    const value = text === '' ? undefined : JSON.parse(text);
    if (value !== undefined) assertFits(validatorAt(...way, 'responses', status, 'content', media, 'schema'), value);
    return { status: answer.status, value };
  };
  return async (operationId: string, { path, body, query = {} }: Asked) => {
    const { template, method, operation } = operationCalled(operationId, document);
    const way = ['paths', template, method];
    const known = Object.values(operation.parameters ?? {}).map(({ $ref }) => String($ref).split('/').at(-1));
    for (const name of [...Object.keys(headers), ...Object.keys(query)]) assert.ok(known.includes(name), name);
    const names = [...path];
    const target = template.replace(/\{\w+\}/g, () => encodeURIComponent(names.shift() ?? ''));
    const sent = body && bodyOf(way, operation.requestBody?.content ?? {}, body);
    const answer = await fetch(`${url}${target}?${new URLSearchParams(query)}`, {
      method: method.toUpperCase(),
      headers: { ...headers, ...(sent && { 'Content-Type': sent.type }) },
      ...(sent && { body: sent.text }),
    });
    return judged(way, operation.responses ?? {}, answer);
  };
}

function operationCalled(id: string, document: Json) {
  for (const [template, item] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(item))
      if (String(operation.operationId) === id) return { template, method, operation };
  return assert.fail(`no operation ${id}`);
}

const flavours = {
  documented: {
    base: 'onem2m',
    headers: { 'X-M2M-Origin': 'CApp' },
    ae: { rr: false },
    latest: 'latest',
    rcn: ['1', '4', '5', '6', '8'],
  },
  onem2m: {
    ...{ base: 'cse-in', headers: { 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': 'r', 'X-M2M-RVI': '4' }, latest: 'la' },
    ...{ ae: { rr: true, srv: ['4'] }, rcn: ['1', '4', '5', '6', '8'] },
  },
} as const;

for (const dialect of ['documented', 'onem2m'] as const)
  test(`a client made of the OpenAPI document works at a CSE of the ${dialect} dialect`, async () => {
    const { base, headers, ae, latest, rcn } = flavours[dialect];
    const cse = createCse({ dialect });
    await using server = await serveHttp(cse.http, { port: 0 });
    await using inbox = await startInbox();
    const document = written('openapi', dialect);
    const client = clientOf(document, server.url, headers);
    const created = await client('create', { path: [base], body: { 'm2m:ae': { rn: 'app', api: 'Napp', ...ae } } });
    assert.equal(created.status, 201);
    const { ri } = created.value['m2m:ae'];
    assert.equal((await client('create', { path: [ri], body: { 'm2m:cnt': { rn: 'data', mni: 5 } } })).status, 201);
    const sub = { rn: 'watch', nu: [inbox.url], su: inbox.url, enc: { net: [3] } };
    const places = { app: [base, 'app'], data: [base, 'app', 'data'] };
    assert.equal((await client('create3', { path: places.data, body: { 'm2m:sub': sub } })).status, 201);
    const group = { rn: 'all', mnm: 3, mid: [`${base}/app/data`] };
    assert.equal((await client('create2', { path: places.app, body: { 'm2m:grp': group } })).status, 201);
    assert.equal((await client('create3', { path: places.data, body: { 'm2m:cin': { con: '21' } } })).status, 201);
    const last = await client('retrieve4', { path: [...places.data, latest] });
    assert.equal(last.value['m2m:cin'].con, '21');
    for (const one of rcn)
      assert.equal((await client('retrieve2', { path: places.app, query: { rcn: one } })).status, 200);
    assert.equal((await client('retrieve4', { path: [base, 'app', 'all', 'fopt'] })).status, 200);
    const found = await client('retrieve', { path: [base], query: { fu: '1', ty: '4' } });
    assert.equal(found.value['m2m:uril'].length, 1);
    assert.equal((await client('update3', { path: places.data, body: { 'm2m:cnt': { lbl: ['x'] } } })).status, 200);
    assert.equal((await client('retrieve2', { path: [base, 'nothing'] })).status, 404);
    assert.equal((await inbox.next()).content, '21');
    const notification = cse.sent.last;
    const [media = ''] = Object.keys(document.webhooks?.notification?.post?.requestBody?.content ?? {});
    assert.equal(notification?.headers['content-type'], media);
    const way = ['webhooks', 'notification', 'post', 'requestBody', 'content', media, 'schema'];
    assertFits(validators(document)(...way), notification?.json);
    assert.equal((await client('delete2', { path: places.app })).status, 200);
  });

for (const dialect of ['documented', 'onem2m'] as const)
  test(`primitives over WebSocket fit the AsyncAPI document of the ${dialect} dialect`, async (t) => {
    const { base, ae } = flavours[dialect];
    const validatorAt = validators(written('asyncapi', dialect));
    const [isRequest, isResponse] = ['request', 'response'].map((one) => validatorAt('components', 'schemas', one));
    assert.ok(isRequest && isResponse);
    await using server = await serveWs(createCse({ dialect }));
    const socket = new WebSocket(server.url, ['oneM2M.json']);
    t.after(() => socket.terminate());
    await once(socket, 'open');
    const ask = async (primitive: object) => {
      assertFits(isRequest, primitive);
      const answer = once(socket, 'message');
      socket.send(JSON.stringify(primitive));
      const value = JSON.parse(String((await answer)[0]));
      assertFits(isResponse, value);
      return value;
    };
    const by = { fr: 'CApp', rvi: '4' };
    const registered = { 'm2m:ae': { rn: 'app', api: 'Napp', ...ae, rr: true } };
    const answer = await ask({ op: 1, to: base, ty: 2, rqi: '1', ...by, pc: registered });
    assert.equal(answer.rsc, 2001);
    assert.equal(
      (await ask({ op: 1, to: `${base}/app`, ty: 3, rqi: '2', ...by, pc: { 'm2m:cnt': { rn: 'data' } } })).rsc,
      2001,
    );
    const found = await ask({ op: 2, to: base, rqi: '3', ...by, fc: { fu: 1, ty: [2, 3] } });
    assert.equal(found.rsc, 2000);
    assert.equal((await ask({ op: 2, to: `${base}/none`, rqi: '4', ...by })).rsc, 4004);
    assert.equal(isRequest({ op: 9, to: base, rqi: '5' }), false);
    assert.equal(isResponse({ rsc: 2 }), false);
  });

/** The onem2m dialect as clients see it: headers, content types, parameters and refusals of TS-0009. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CseOptions } from '../cse/create-cse.ts';
import { exampleMoment, sampleCse } from '../testing/sample-cse.ts';
import { readCbor, writeCbor } from './cbor.ts';

function standard(options: CseOptions = {}) {
  return sampleCse({ dialect: 'onem2m', requireAuth: false, ...options });
}

async function withContainer(options: CseOptions = {}) {
  const cse = standard(options);
  await cse.send('POST', '/cse-in', { 'm2m:ae': { rn: 'app', api: 'N', rr: true, srv: ['4'] } });
  await cse.send('POST', '/cse-in/app', { 'm2m:cnt': { rn: 'c', lbl: ['a', 'b c'] } });
  return cse;
}

const code = ({ status, headers }: { status: number; headers: Readonly<Record<string, string>> }) =>
  `${status} ${headers['X-M2M-RSC']}`;

test('by default the CSE is cse-in with the identifier id-in, an IN-CSE of releases 2a to 5', async () => {
  const { attributes } = await standard().send('GET', '/cse-in');
  assert.deepEqual([attributes.rn, attributes.csi, attributes.cst], ['cse-in', '/id-in', 1]);
  assert.deepEqual(attributes.srv, ['2a', '3', '4', '5']);
});

describe('what every request must say', () => {
  const missing = [
    ['x-m2m-ri', '400 4000', /X-M2M-RI is required/],
    // What says no release is of release 1 (TS-0004, clause 7.3.2.1), which is not supported.
    ['x-m2m-rvi', '400 4000', /X-M2M-RVI is required: 2a, 3, 4, 5/],
    ['x-m2m-origin', '400 4000', /X-M2M-Origin is required/],
  ] as const;
  for (const [header, expected, message] of missing) {
    for (const value of [null, '']) {
      test(`without ${header} (${JSON.stringify(value)}) nothing is done`, async () => {
        const cse = await withContainer();
        for (const [method, body] of [
          ['GET'],
          ['DELETE'],
          ['PUT', { 'm2m:cnt': {} }],
          ['POST', { 'm2m:cnt': {} }],
        ] as const) {
          const answer = await cse.send(method, '/cse-in/app/c', body, { [header]: value });
          assert.equal(code(answer), expected, method);
          assert.match(String((answer.json as Record<string, string>)['m2m:dbg']), message);
        }
        assert.equal(code(await cse.send('GET', '/cse-in/app/c')), '200 2000');
      });
    }
  }

  test('a release that is not supported is refused by its own code', async () => {
    const answer = await standard({ releases: ['3'] }).send('GET', '/cse-in', undefined, { 'x-m2m-rvi': '4' });
    assert.equal(code(answer), '400 4001');
    assert.equal(answer.headers['X-M2M-RVI'], '4');
  });

  test('a create of an AE needs no originator, and assigns one', async () => {
    for (const origin of [null, '', 'C', 'S']) {
      const ae = { 'm2m:ae': { api: 'N', rr: true, srv: ['4'] } };
      const answer = await standard().send('POST', '/cse-in', ae, { 'x-m2m-origin': origin });
      assert.equal(code(answer), '201 2001');
      assert.match(String(answer.attributes.aei), origin === 'S' ? /^S\w{10}$/ : /^C\w{10}$/);
    }
  });
});

describe('answers', () => {
  test('carry code, identifier, release, vendor information, and their time', async () => {
    const answer = await standard().send('GET', '/cse-in', undefined, { 'x-m2m-ri': 'r7', 'x-m2m-vsi': 'vendor' });
    assert.deepEqual(answer.headers, {
      'X-M2M-RSC': '2000',
      'X-M2M-RI': 'r7',
      'X-M2M-RVI': '4',
      'X-M2M-VSI': 'vendor',
      'X-M2M-OT': '20170302T161253,350093',
      'Content-Type': 'application/json',
    });
  });

  test('name the location of what was created, and of nothing else', async () => {
    const cse = standard();
    const created = await cse.send('POST', '/~/id-in/cse-in?rcn=2', { 'm2m:cnt': { rn: 'c' } });
    assert.equal(created.headers['Content-Location'], 'cse-in/c');
    assert.deepEqual(created.json, { 'm2m:uri': 'cse-in/c' }, 'addresses in contents are CSE-relative');
    const both = await cse.send('POST', '/cse-in?rcn=3', { 'm2m:cnt': { rn: 'd' } });
    assert.equal(both.headers['Content-Location'], 'cse-in/d');
    const shown = await cse.send('POST', '/~/id-in/cse-in', { 'm2m:cnt': { rn: 'e' } });
    assert.equal(shown.headers['Content-Location'], '/~/id-in/cse-in/e');
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await cse.send(method, '/cse-in/c')).headers['Content-Location'], undefined);
    }
  });

  test('to a truncated discovery have the status and next offset', async () => {
    const cse = await withContainer();
    for (const rn of ['d', 'e']) await cse.send('POST', '/cse-in/app', { 'm2m:cnt': { rn } });
    const first = await cse.send('GET', '/cse-in?fu=1&ty=3&lim=2');
    assert.deepEqual([first.headers['X-M2M-CTS'], first.headers['X-M2M-CTO']], ['1', '3']);
    const rest = await cse.send('GET', '/cse-in?fu=1&ty=3&lim=2&ofst=3');
    assert.deepEqual(rest.json, { 'm2m:uril': ['cse-in/app/e'] });
    assert.equal(rest.headers['X-M2M-CTS'], undefined);
  });

  test('to rt=5 are 204 and nothing', async () => {
    const cse = await withContainer();
    const answer = await cse.send('DELETE', '/cse-in/app/c?rt=5');
    assert.deepEqual([answer.status, answer.headers, answer.text], [204, {}, '']);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(code(await cse.send('GET', '/cse-in/app/c')), '404 4004');
  });
});

describe('ty in the Content-Type', () => {
  test('is needed for a create, and not permitted elsewhere', async () => {
    const cse = await withContainer();
    const json = { 'content-type': 'application/json' };
    assert.equal(code(await cse.send('POST', '/cse-in', { 'm2m:cnt': {} }, json)), '400 4000');
    const typed = { 'content-type': 'application/json;ty=3' };
    assert.equal(code(await cse.send('PUT', '/cse-in/app/c', { 'm2m:cnt': { mni: 1 } }, typed)), '400 4000');
    assert.equal(code(await cse.send('PUT', '/cse-in/app/c', { 'm2m:cnt': { mni: 1 } }, json)), '200 2004');
    assert.equal(code(await cse.send('GET', '/cse-in/app/c', undefined, typed)), '400 4000');
    assert.equal(code(await cse.send('GET', '/cse-in/app/c', undefined, json)), '200 2000');
  });

  test('may have spaces around it, in each of the content types', async () => {
    const types = ['application/json', 'application/vnd.onem2m-res+json'];
    for (const type of types.flatMap((one) => [`${one};ty=3`, `${one} ; ty=3`, `${one}; charset=UTF-8 ; ty = 3`])) {
      const answer = await standard().send('POST', '/cse-in', { 'm2m:cnt': {} }, { 'content-type': type });
      assert.equal(code(answer), '201 2001', type);
    }
  });

  test('that contradicts the body, or is no number, is refused', async () => {
    for (const ty of ['2', '999', 'wrong', '']) {
      const type = { 'content-type': `application/json;ty=${ty}` };
      assert.equal(code(await standard().send('POST', '/cse-in', { 'm2m:cnt': {} }, type)), '400 4000', ty);
    }
  });

  test('makes the difference between a create and a notification', async () => {
    const sent: unknown[] = [];
    const messenger: CseOptions['messenger'] = {
      async send(url, { operation, content }) {
        sent.push([url, operation, content]);
        return { status: { code: 2000, http: 200, name: 'OK' } };
      },
    };
    const cse = standard({ messenger });
    const ae = { rn: 'app', api: 'N', rr: true, srv: ['4'], poa: ['http://app'] };
    await cse.send('POST', '/cse-in', { 'm2m:ae': ae });
    const notification = { 'm2m:sgn': { nev: { net: 3 }, sur: 'cse-in/x' } };
    assert.equal(code(await cse.send('POST', '/cse-in/app', notification)), '200 2000');
    assert.deepEqual(sent, [['http://app', 'notify', notification]]);
    const typed = { 'content-type': 'application/json;ty=23' };
    assert.equal(code(await cse.send('POST', '/cse-in/app', notification, typed)), '400 4000');
  });
});

test('content types that are none of the standard are refused, but not where there is no content', async () => {
  const cse = await withContainer();
  for (const type of ['text/plain', 'application/xml', 'None']) {
    const header = { 'content-type': type };
    assert.equal(code(await cse.send('POST', '/cse-in', { 'm2m:cnt': {} }, header)), '415 4015', type);
    assert.equal(code(await cse.send('GET', '/cse-in/app/c', undefined, header)), '200 2000', type);
  }
  assert.equal(code(await cse.send('DELETE', '/cse-in/app/c', undefined, { 'content-type': 'None' })), '200 2002');
});

test('base64 text is no body in this dialect', async () => {
  const cse = await withContainer();
  const header = { 'content-type': 'application/json;ty=4' };
  assert.equal(code(await cse.send('POST', '/cse-in/app/c', btoa('{"t": 21}'), header)), '400 4000');
});

test('Accept selects JSON or CBOR; anything else is not available', async () => {
  const cse = standard();
  const given = [
    ['application/json', 'application/json'],
    ['application/vnd.onem2m-res+json', 'application/vnd.onem2m-res+json'],
    ['*/*', 'application/json'],
    ['text/html, application/*;q=0.5', 'application/json'],
  ] as const;
  for (const [accept, type] of given) {
    assert.equal((await cse.send('GET', '/cse-in', undefined, { accept })).headers['Content-Type'], type);
  }
  for (const accept of ['text/html', 'application/xml', 'application/json;q=0']) {
    assert.equal(code(await cse.send('GET', '/cse-in', undefined, { accept })), '406 5207', accept);
  }
});

describe('CBOR', () => {
  const ask = (cse: ReturnType<typeof standard>, method: string, target: string, body: unknown, headers = {}) => {
    const usual = { 'x-m2m-ri': 'r', 'x-m2m-rvi': '4', 'x-m2m-origin': 'CMe' };
    const bytes = body instanceof Uint8Array ? body : body === undefined ? new Uint8Array() : writeCbor(body);
    return cse.http.handle({ method, target, headers: { ...usual, ...headers }, body: bytes });
  };

  test('in and out carries the same as JSON', async () => {
    for (const type of ['application/cbor', 'application/vnd.onem2m-res+cbor']) {
      const cse = standard();
      const content = { 'm2m:cnt': { rn: 'c', lbl: ['ü'], mni: 70_000 } };
      const created = await ask(cse, 'POST', '/cse-in', content, { 'content-type': `${type};ty=3` });
      assert.deepEqual([created.status, created.headers['Content-Type']], [201, type]);
      const inJson = await cse.send('GET', '/cse-in/c');
      assert.ok(created.body instanceof Uint8Array);
      assert.deepEqual(readCbor(created.body), { value: inJson.json });
      const read = await ask(cse, 'GET', '/cse-in/c', undefined, { accept: type });
      assert.deepEqual(read.body, created.body);
    }
  });

  test('in, JSON out when it is asked for; refusals in CBOR', async () => {
    const cse = standard();
    const header = { 'content-type': 'application/cbor;ty=3', accept: 'application/json' };
    const created = await ask(cse, 'POST', '/cse-in', { 'm2m:cnt': {} }, header);
    assert.equal(typeof created.body, 'string');
    const refused = await ask(cse, 'GET', '/cse-in/none', undefined, { accept: 'application/cbor' });
    assert.ok(refused.body instanceof Uint8Array);
    assert.deepEqual(readCbor(refused.body), { value: { 'm2m:dbg': 'There is no resource at cse-in/none.' } });
  });

  test('that is malformed is refused', async () => {
    const header = { 'content-type': 'application/cbor;ty=3' };
    for (const bytes of [[], [0xff], [0xa1], [0x01], [0xf6]]) {
      const answer = await ask(standard(), 'POST', '/cse-in', Uint8Array.from(bytes), header);
      assert.equal(code(answer), '400 4000', String(bytes));
    }
  });
});

describe('parameters of the request', () => {
  test('stand in the query and in headers', async () => {
    const cse = await withContainer();
    const asked = await cse.send('GET', '/cse-in/app/c?rt=1&rp=PT1M', undefined, {
      'x-m2m-ri': 'late',
      'x-m2m-vsi': 'v',
      'x-m2m-ec': '2',
      'x-m2m-ot': '20170302T161250',
      'x-m2m-rst': '30000',
    });
    assert.equal(code(asked), '202 1001');
    const { 'm2m:uri': uri } = asked.json as { 'm2m:uri': string };
    const { attributes } = await cse.send('GET', `/${uri}`);
    assert.equal(attributes.rid, 'late');
    assert.equal(attributes.et, '20170302T161323,350093', 'the result expires after 30 s');
    const mi = attributes.mi as Record<string, unknown>;
    assert.deepEqual([mi.vsi, mi.ec, mi.ot], ['v', 2, '20170302T161250']);
  });

  test('times are moments or milliseconds; an expired request is not executed', async () => {
    const cse = await withContainer();
    const at = (ret: string) => cse.send('GET', '/cse-in/app/c', undefined, { 'x-m2m-ret': ret });
    for (const ret of ['10000', '10000.5', 'PT10S', '20170302T161300', '2017-03-02T16:13:00Z'])
      assert.equal(code(await at(ret)), '200 2000', ret);
    for (const ret of ['-10000', '20170302T161200']) assert.equal(code(await at(ret)), '504 4008', ret);
    for (const ret of ['soon', '']) assert.equal(code(await at(ret)), '400 4000', ret);
  });

  test('a result expires no sooner than the request, and not before it is asked for', async () => {
    const cse = standard();
    const at = (headers: Record<string, string>) => cse.send('GET', '/cse-in', undefined, headers);
    assert.equal(code(await at({ 'x-m2m-rst': '-1' })), '504 4008');
    assert.equal(code(await at({ 'x-m2m-ret': '4000', 'x-m2m-rst': '2000' })), '400 4000');
    assert.equal(code(await at({ 'x-m2m-ret': '4000', 'x-m2m-rst': '4000' })), '200 2000');
  });

  test('attributes to be shown are for a retrieve', async () => {
    const cse = await withContainer();
    assert.equal(code(await cse.send('DELETE', '/cse-in?atrl=rn')), '400 4000');
    assert.equal(code(await cse.send('PUT', '/cse-in/app/c?atrl=rn', { 'm2m:cnt': {} })), '400 4000');
  });

  test('that are malformed are refused', async () => {
    const cse = standard();
    for (const [name, value] of [
      ['x-m2m-ec', '7'],
      ['x-m2m-ec', 'urgent'],
      ['x-m2m-ot', 'now'],
      ['x-m2m-oet', '?'],
    ] as const) {
      assert.equal(code(await cse.send('GET', '/cse-in', undefined, { [name]: value })), '400 4000', name);
    }
    for (const query of ['rt=6', 'rp=long', 'da=1', 'colour=red', 'lim=abc', 'fo=4']) {
      assert.equal(code(await cse.send('GET', `/cse-in?${query}`)), '400 4000', query);
    }
    assert.equal(code(await cse.send('GET', '/cse-in?smf=x')), '501 5001');
  });

  test('the originator, its address and whether TLS knows it reach the core', async () => {
    const cse = standard();
    const seen: unknown[] = [];
    const { request } = cse.core;
    cse.core.request = (primitive) => {
      seen.push([primitive.address, primitive.authenticated]);
      return request.call(cse.core, primitive);
    };
    const usual = { 'x-m2m-ri': 'r', 'x-m2m-rvi': '4', 'x-m2m-origin': 'CMe' };
    const base = { method: 'GET', target: '/cse-in', headers: usual, body: new Uint8Array() };
    await cse.http.handle(base);
    await cse.http.handle({ ...base, address: '10.0.0.7', peer: { uris: ['//openmtc.org/id-in/CMe'] } });
    assert.deepEqual(seen, [
      [undefined, undefined],
      ['10.0.0.7', true],
    ]);
  });
});

describe('filter criteria beside a discovery', () => {
  test('a create has none', async () => {
    const cse = await withContainer();
    for (const query of ['lbl=a', 'fu=1', 'ty=3']) {
      assert.equal(code(await cse.send('POST', `/cse-in/app?${query}`, { 'm2m:cnt': { rn: 'd' } })), '400 4000', query);
    }
    assert.equal(code(await cse.send('GET', '/cse-in/app/d')), '404 4004');
  });

  test('an update and a delete are executed only where they are met', async () => {
    const cse = await withContainer();
    const change = { 'm2m:cnt': { mni: 3 } };
    assert.equal(code(await cse.send('PUT', '/cse-in/app/c?lbl=z', change)), '404 4004');
    assert.equal(code(await cse.send('DELETE', '/cse-in/app/c?crb=20000101T000000')), '404 4004');
    assert.equal((await cse.send('GET', '/cse-in/app/c')).attributes.mni, undefined);
    assert.equal(code(await cse.send('PUT', '/cse-in/app/c?lbl=a', change)), '200 2004');
    assert.equal(code(await cse.send('DELETE', '/cse-in/app/c?lbl=a')), '200 2002');
  });
});

test('a missing type of the standard is not implemented; one of no standard is an error', async () => {
  const cse = await withContainer();
  const create = (ty: number) =>
    cse.send('POST', '/cse-in/app', { 'm2m:lcp': { los: 2 } }, { 'content-type': `application/json;ty=${ty}` });
  assert.equal(code(await create(10)), '501 5001');
  assert.equal(code(await create(99_999)), '400 4000');
  assert.equal(code(await create(3)), '400 4000');
});

test('a path that ends with a slash is no address, nor is a CSE without anything in it', async () => {
  const cse = await withContainer();
  for (const scope of ['', '/~/id-in', '/_/openmtc.org/id-in']) {
    assert.equal(code(await cse.send('GET', `${scope}/cse-in/app`)), '200 2000', scope);
    assert.equal(code(await cse.send('GET', `${scope}/cse-in/app/`)), '400 4000', scope);
    if (scope !== '') assert.equal(code(await cse.send('GET', scope)), '400 4000', scope);
  }
  const created = await cse.send('POST', '/', { 'm2m:cnt': { rn: 'x' } });
  assert.equal(code(created), '201 2001');
});

test('an expiration time before that of a child is refused', async () => {
  const cse = await withContainer();
  await cse.send('POST', '/cse-in/app/c', { 'm2m:cnt': { rn: 'd', et: '20170302T170000' } });
  const until = (et: string) => cse.send('PUT', '/cse-in/app/c', { 'm2m:cnt': { et } });
  assert.equal(code(await until('20170302T165959')), '400 4000');
  assert.equal(code(await until('20170302T170000')), '200 2004');
});

test('an unknown CSE is not found by an IN-CSE, and not reached by another', async () => {
  assert.equal(code(await standard().send('GET', '/~/elsewhere/cse-in')), '404 4004');
  assert.equal(code(await standard({ cseType: 'MN-CSE' }).send('GET', '/~/elsewhere/cse-in')), '404 5103');
});

test('the time until which a result is wanted is echoed', async () => {
  const until = { 'x-m2m-rst': '20170302T161300' };
  assert.equal((await standard().send('GET', '/cse-in', undefined, until)).headers['X-M2M-RST'], '20170302T161300');
  assert.equal((await standard().send('GET', '/cse-in')).headers['X-M2M-RST'], undefined);
});

describe('discovery and partial retrieval', () => {
  const found = async (query: string) => {
    const cse = await withContainer();
    cse.clock.microseconds = exampleMoment + 1_000_000;
    await cse.send('POST', '/cse-in/app', { 'm2m:cnt': { rn: 'd', lbl: ['z'], mni: 5 } });
    await cse.send('POST', '/cse-in/app/d', { 'm2m:cin': { rn: 'i', con: 'xyz', cnf: 'text/plain:0', lbl: ['i'] } });
    const { json } = await cse.send('GET', `/cse-in?fu=1&${query}`);
    return (json as { 'm2m:uril'?: string[] })['m2m:uril'] ?? json;
  };
  const cases: readonly (readonly [query: string, names: readonly string[]])[] = [
    ['lbl=a+z', ['cse-in/app/c', 'cse-in/app/d']],
    ['lbl=a&lbl=z', ['cse-in/app/c', 'cse-in/app/d']],
    ['lbl=b%20c', ['cse-in/app/c']],
    ['ty=2+4', ['cse-in/app', 'cse-in/app/d/i']],
    ['mni=5', ['cse-in/app/d']],
    ['rn=d', ['cse-in/app/d']],
    ['rn=*&ty=3', ['cse-in/app/c', 'cse-in/app/d']],
    ['c.cnf=text*', ['cse-in/app/d']],
    ['p.mni=5', ['cse-in/app/d/i']],
    ['chty=4', ['cse-in/app/d']],
    ['clbl=i', ['cse-in/app/d']],
    ['pty=2', ['cse-in/app/c', 'cse-in/app/d']],
    ['palb=z', ['cse-in/app/d/i']],
    ['ty=3&arp=i', ['cse-in/app/d/i']],
    ['sza=3', ['cse-in/app/d/i']],
    ['szb=3', []],
    ['cra=20170302T161254&ty=3', ['cse-in/app/d']],
    ['crb=20170302T161254&ty=3', ['cse-in/app/c']],
    ['lvl=1', ['cse-in/app']],
    ['lbl=a&mni=5&fo=2', ['cse-in/app/c', 'cse-in/app/d']],
  ];
  for (const [query, names] of cases) {
    test(`?fu=1&${query} finds ${names.length}`, async () => assert.deepEqual(await found(query), names));
  }

  test('a query looks into content that is JSON, written as it is, as text, or as base64', async () => {
    const cse = await withContainer();
    const contents = [
      ['object', 'application/json:0', { t: 25, 'a b': 1 }],
      ['text', 'application/json:0', '{"t": 25}'],
      ['base64', 'application/senml+json:1', btoa('{"t": 25}')],
      ['cold', 'application/json:0', { t: 3 }],
      ['broken', 'application/json:0', '{"t": 25'],
      ['no-json', 'text/plain:0', '{"t": 25}'],
      ['unsaid', undefined, { t: 25 }],
    ] as const;
    for (const [rn, cnf, con] of contents) {
      await cse.send('POST', '/cse-in/app/c', { 'm2m:cin': { rn, con, ...(cnf && { cnf }) } });
    }
    const query = async (text: string) => cse.send('GET', `/cse-in/app/c?fu=1&${text}`);
    const warm = await query(`cfs=1&cfq=${encodeURIComponent('$.t GT 23')}`);
    assert.deepEqual(warm.json, { 'm2m:uril': ['object', 'text', 'base64'].map((name) => `cse-in/app/c/${name}`) });
    const quoted = await query(`cfq=${encodeURIComponent("$.'a b' EQ 1")}`);
    assert.deepEqual(quoted.json, { 'm2m:uril': ['cse-in/app/c/object'] });
    for (const refused of ['cfs=1', 'cfs=2&cfq=$.t+EQ+1', 'cfq=t+EQ+1', 'cfq=$.t+EQ']) {
      assert.equal(code(await query(refused)), '400 4000', refused);
    }
  });

  test('an attribute list, or a fragment, shows some attributes only', async () => {
    const cse = await withContainer();
    const asked: readonly (readonly [target: string, names: readonly string[]])[] = [
      ['/cse-in/app/c?atrl=rn+lbl', ['rn', 'lbl']],
      ['/cse-in/app/c?atrl=rn%20lbl', ['rn', 'lbl']],
      ['/cse-in/app/c%23pi', ['pi']],
      ['/cse-in/app/c#pi', ['pi']],
      ['/cse-in/app/c%23ri+rn', ['ri', 'rn']],
    ];
    for (const [target, names] of asked)
      assert.deepEqual(Object.keys((await cse.send('GET', target)).attributes), names);
    assert.equal(code(await cse.send('GET', '/cse-in/app/c%23colour')), '400 4000');
  });
});

describe('attributes of a create', () => {
  const container = (attributes: object) =>
    withContainer().then((cse) => cse.send('POST', '/cse-in/app', { 'm2m:cnt': attributes }));

  test('null is no value for what is unknown or set by the CSE, but asks for the creator and leaves an optional one out', async () => {
    for (const name of ['unknown', 'ct', 'ri', 'cni'])
      assert.equal(code(await container({ [name]: null })), '400 4000', name);
    for (const name of ['cr', 'mni', 'lbl', 'rn'])
      assert.equal(code(await container({ [name]: null })), '201 2001', name);
    const ae = { 'm2m:ae': { api: 'N', rr: true, srv: ['4'], cr: null } };
    assert.equal(code(await standard().send('POST', '/cse-in', ae)), '400 4000', 'an AE has no creator');
  });

  test('labels are tokens', async () => {
    for (const label of ['', 't\tab', ' x', 'x ', 'a  b', 'a\nb']) {
      assert.equal(code(await container({ lbl: ['good', label] })), '400 4000', JSON.stringify(label));
    }
    assert.deepEqual((await container({ lbl: ['a b', 'é:漢'] })).attributes.lbl, ['a b', 'é:漢']);
  });

  test('a location is a geometry type with coordinates of its depth', async () => {
    const wrong = ['here', {}, { typ: 1 }, { typ: 7, crd: '[1,2]' }, { typ: 1, crd: [1] }, { typ: 1, crd: '[1]' }];
    const shapes = [
      { typ: 1, crd: '[[1,2]]' },
      { typ: 2, crd: '[1,2]' },
      { typ: 1, crd: '[["a",2]]' },
      { typ: 1, crd: '['.repeat(1e5) },
    ];
    for (const loc of [...wrong, ...shapes])
      assert.equal(code(await container({ loc })), '400 4000', JSON.stringify(loc).slice(0, 80));
    const right = [
      { typ: 1, crd: '[ 13.4, 52.5 ]' },
      { typ: 3, crd: '[[0,0],[1,0],[1,1],[0,0]]' },
      { typ: 3, crd: '[[[0,0],[1,0],[1,1],[0,0]]]' },
    ];
    for (const loc of right) assert.deepEqual((await container({ loc })).attributes.loc, loc);
  });
});

test('a create that shows nothing has no location, and the type of the content that it might have', async () => {
  const cse = await withContainer();
  const answer = await cse.send('POST', '/cse-in/app?rcn=0', { 'm2m:cnt': {} });
  assert.deepEqual([code(answer), answer.text, answer.headers['Content-Location']], ['201 2001', '', undefined]);
  assert.equal(answer.headers['Content-Type'], 'application/json');
});

test('among attributes that are asked for one that is not set is left out', async () => {
  const cse = await withContainer();
  const answer = await cse.send('GET', '/cse-in/app/c?atrl=mni+rn');
  assert.deepEqual([code(answer), answer.attributes], ['200 2000', { rn: 'c' }]);
});

test('the CSE base accepts a notification, and nothing else without ty', async () => {
  const cse = standard();
  const untyped = { 'content-type': 'application/json' };
  assert.equal(code(await cse.send('POST', '/cse-in', { 'm2m:sgn': { sur: '/x' } }, untyped)), '200 2000');
  assert.equal(code(await cse.send('POST', '/cse-in', { 'm2m:sgn': { nev: {} } }, untyped)), '400 4000');
  assert.equal(code(await cse.send('POST', '/cse-in', { 'm2m:cnt': {} }, untyped)), '400 4000');
});

/** The tables of TS-0008, written from the document once more, so that no mistake of ours proves itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asAnswer, asHttpRequest, asRequest, asResponse } from './mapping.ts';
import { type CoapContent, type CoapOption, nothing } from './message.ts';

/** Table 6.2.2.4.0-1, and the header of TS-0009, clause 6.4, that has the same parameter. */
const options = [
  ['279', 'x-m2m-origin', 'CA'],
  ['283', 'x-m2m-ri', 'r1'],
  ['259', 'x-m2m-ot', '20300101T000000'],
  ['291', 'x-m2m-ret', '20300101T000001'],
  ['295', 'x-m2m-rst', '20300101T000002'],
  ['299', 'x-m2m-oet', '20300101T000003'],
  ['263', 'x-m2m-rtu', 'coap://127.0.0.1:1/n'],
  ['303', 'x-m2m-ec', '4'],
  ['307', 'x-m2m-rsc', '2000'],
  ['311', 'x-m2m-gid', 'g1'],
  ['319', 'x-m2m-cto', '300'],
  ['323', 'x-m2m-cts', '1'],
  ['327', 'x-m2m-ati', 'lti-1:tkid-1+lti-2:tkid-2'],
  ['271', 'x-m2m-rvi', '3'],
  ['331', 'x-m2m-vsi', 'vendor'],
  ['335', 'x-m2m-gtm', 'm1 m2'],
  ['339', 'x-m2m-aus', 's1'],
  ['275', 'x-m2m-asri', 's2'],
] as const;
const numbers: ReadonlySet<string> = new Set(['303', '307', '319', '323']);

const octets = (value: string, isNumber: boolean): Buffer => {
  if (!isNumber) return Buffer.from(value);
  const hex = Number(value).toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
};
const allOptions: CoapOption[] = options.map(([name, , value]) => ({ name, value: octets(value, numbers.has(name)) }));
const allHeaders = Object.fromEntries(options.map(([, header, value]) => [header, value]));

const message = (code: string, more: Partial<CoapContent> = {}): CoapContent => ({
  ...{ code, options: [], payload: nothing },
  ...more,
});
const path = (...parts: readonly string[]): CoapOption[] =>
  parts.map((part) => ({ name: 'Uri-Path', value: Buffer.from(part) }));
const query = (...words: readonly string[]): CoapOption[] =>
  words.map((word) => ({ name: 'Uri-Query', value: Buffer.from(word) }));
const sent = (method: string, target: string, headers: Readonly<Record<string, string>> = {}, body?: string) =>
  asRequest({ method, target, headers, ...(body !== undefined && { body }) }, '127.0.0.1');
const values = ({ options: all }: CoapContent, wanted: string): string[] =>
  all.filter(({ name }) => name === wanted).map(({ value }) => String(value));
const ofTable = ({ options: all }: CoapContent): CoapOption[] =>
  all.filter(({ name }) => options.some(([one]) => one === name));
const byName = (all: readonly CoapOption[]) => all.toSorted((one, other) => Number(one.name) - Number(other.name));
const type = (ty: number): CoapOption => ({ name: '267', value: Buffer.from([ty]) });

test('each parameter of a request has the option of its number, as it is sent and as it comes', () => {
  assert.deepEqual(asHttpRequest(message('0.01', { options: allOptions }), '127.0.0.1').headers, allHeaders);
  assert.deepEqual(byName(ofTable(sent('GET', '/cse', allHeaders))), byName(allOptions));
});

test('each parameter of a response has the option of its number, as it is sent and as it comes', () => {
  const response = asResponse({ status: 200, headers: allHeaders, body: '' }, 'GET');
  assert.deepEqual(byName(ofTable(response ?? message(''))), byName(allOptions));
  assert.deepEqual(asAnswer(message('2.05', { options: allOptions })).headers, allHeaders);
});

test('each operation has its method, as it is sent and as it comes', () => {
  for (const [method, code] of [
    ['POST', '0.02'],
    ['GET', '0.01'],
    ['PUT', '0.03'],
    ['DELETE', '0.04'],
  ] as const) {
    assert.equal(sent(method, '/cse').code, code);
    assert.equal(asHttpRequest(message(code, { options: path('cse') }), '').method, method);
  }
});

test('a non-blocking request is a POST with its operation', () => {
  for (const [method, headers, op] of [
    ['POST', { 'content-type': 'application/json;ty=3' }, 'op=1'],
    ['GET', {}, 'op=2'],
    ['PUT', { 'content-type': 'application/json' }, 'op=3'],
    ['DELETE', {}, 'op=4'],
    ['POST', { 'content-type': 'application/json' }, 'op=5'],
  ] as const)
    for (const rt of [1, 2, 4]) {
      const request = sent(method, `/cse?rt=${rt}`, headers, '{}');
      assert.deepEqual([request.code, values(request, 'Uri-Query')], ['0.02', [`rt=${rt}`, op]], `${method} ${rt}`);
    }
});

test('a POST creates where it has a type and else notifies, unless it says the operation', () => {
  const posted = (...all: readonly CoapOption[]) => {
    const { method, headers, target } = asHttpRequest(
      message('0.02', { options: [...path('cse'), ...all], payload: Buffer.from('{}') }),
      '',
    );
    return [method, headers['content-type'], target];
  };
  assert.deepEqual(posted(type(3)), ['POST', 'application/json;ty=3', '/cse']);
  assert.deepEqual(posted(), ['POST', 'application/json', '/cse']);
  assert.deepEqual(posted(type(3), ...query('op=1')), ['POST', 'application/json;ty=3', '/cse']);
  assert.deepEqual(posted(type(3), ...query('op=5')), ['POST', 'application/json', '/cse']);
  assert.deepEqual(posted(...query('rt=1', 'op=3'))[0], 'PUT');
});

test('an address of each kind is in Uri-Path, sent and received', () => {
  for (const [target, parts] of [
    ['/CSEBase/ae12/cont27', ['CSEBase', 'ae12', 'cont27']],
    ['/cin00856', ['cin00856']],
    ['/~/CSE178/CSEBase/ae12', ['~', 'CSE178', 'CSEBase', 'ae12']],
    ['/_/mym2msp.org/CSE178/cin00856', ['_', 'mym2msp.org', 'CSE178', 'cin00856']],
    ['/a%20%C3%A9', ['a é']],
  ] as const) {
    assert.deepEqual(values(sent('GET', target), 'Uri-Path'), parts);
    assert.equal(asHttpRequest(message('0.01', { options: path(...parts) }), '').target, target);
  }
});

test('parameters that have no option of their own are in Uri-Query by their short names', () => {
  const words = ['rt=3', 'rp=PT1H', 'da=true', 'rcn=4', 'fu=1', 'lbl=a b', 'ty=2+3', 'drt=2', 'tqi=true', 'op=2'];
  const written = words.map((word) => word.replace(' ', '%20'));
  assert.deepEqual(values(sent('GET', `/cse?${written.join('&')}`), 'Uri-Query'), words);
  const { target } = asHttpRequest(message('0.01', { options: [...path('cse'), ...query(...words)] }), '');
  assert.equal(target, `/cse?${written.join('&')}`);
});

test('the name in a point of access is Uri-Host, and an address is not', () => {
  const request = { method: 'GET', target: '/cse', headers: {} };
  assert.deepEqual(values(asRequest(request, 'gateway.example'), 'Uri-Host'), ['gateway.example']);
  for (const host of ['127.0.0.1', '::1']) assert.deepEqual(values(asRequest(request, host), 'Uri-Host'), []);
});

test('the media types of table 6.2.2.2-1 have their numbers', () => {
  for (const [media, number] of [
    ['application/xml', 41],
    ['application/json', 50],
    ['application/cbor', 60],
    ...(
      [
        ['res+xml', 10014],
        ['res+json', 10001],
        ['ntfy+xml', 10002],
        ['ntfy+json', 10003],
        ['preq+xml', 10006],
        ['preq+json', 10007],
        ['prsp+xml', 10008],
        ['prsp+json', 10009],
        ['res+cbor', 10010],
        ['ntfy+cbor', 10011],
        ['preq+cbor', 10012],
        ['prsp+cbor', 10013],
      ] as const
    ).map(([name, number]) => [`application/vnd.onem2m-${name}`, number] as const),
  ] as const) {
    const value = octets(String(number), true);
    const request = sent('PUT', '/cse', { 'content-type': media, accept: media }, '{}');
    for (const name of ['Content-Format', 'Accept'])
      assert.deepEqual(request.options.find((one) => one.name === name)?.value, value, media);
    const came = asHttpRequest(message('0.03', { options: request.options, payload: Buffer.from('{}') }), '');
    assert.deepEqual([came.headers['content-type'], came.headers.accept], [media, media]);
  }
});

/** Table 6.2.4-1, but for 1000, which has none, 1002, and 2000, which depends on the operation. */
const codes =
  '1001:2.01 2001:2.01 2002:2.02 2004:2.04 4000:4.00 4001:5.01 4004:4.04 4005:4.05 4008:5.04 4015:4.15 4101:4.03 ' +
  '4102:4.00 4103:4.03 4104:4.00 4105:4.03 4106:4.03 4107:4.03 4108:4.03 4109:4.03 4110:4.00 4111:4.03 ' +
  '4112:4.03 4113:4.03 4114:4.03 4115:4.03 4116:4.03 4117:4.03 4118:4.04 4119:4.04 4120:4.02 4121:4.04 ' +
  '4122:4.02 4123:4.00 4124:4.00 4125:5.01 4126:4.03 4127:4.03 4143:4.00 5000:5.00 5001:5.01 5103:4.04 ' +
  '5105:4.03 5106:4.00 5107:4.04 5203:4.03 5204:5.00 5205:4.03 5206:5.01 5207:4.06 5208:4.03 5209:5.00 ' +
  '5210:5.00 5211:5.00 5212:5.00 5214:4.03 5215:4.03 5216:5.00 5217:5.00 5218:4.03 5219:4.00 5220:4.00 ' +
  '5221:5.00 5222:4.03 6003:4.04 6005:4.04 6010:4.00 6020:5.00 6021:5.00 6022:4.00 6023:4.00 6024:4.00 ' +
  '6025:5.00 6026:5.00 6028:4.00 6029:4.00 6030:5.04 6031:5.04';

test('each response status code goes with the code of the table, and is beside it', () => {
  const rows = [...codes.split(' ').map((row) => `GET:${row}`), 'GET:2000:2.05', 'POST:2000:2.04', 'POST:1002:2.01'];
  assert.equal(rows.length, 80);
  for (const row of rows) {
    const [method = '', status = '', code] = row.split(':');
    const response = asResponse({ status: 200, headers: { 'X-M2M-RSC': status }, body: '' }, method);
    const rsc = response?.options.find(({ name }) => name === '307')?.value;
    assert.deepEqual([response?.code, rsc], [code, octets(status, true)], row);
  }
});

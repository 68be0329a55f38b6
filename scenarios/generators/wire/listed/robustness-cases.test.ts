import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { Risks } from '../../../safety/risks.ts';
import { riskOf, textSent } from './robustness-case.ts';
import { casesOf, robustnessSections } from './robustness-cases.ts';

const place = {
  ...{ host: 'a', application: '/base/app', container: '/base/app/c' },
  ...{
    sentinel: '/base/app/sentinel',
    trap: '/base/app/trap',
    usual: ['X-M2M-Origin: Ca'],
    contentType: 'application/json',
  },
};

test('titles are there once in their section', () => {
  assert.ok(casesOf().length >= 150, String(casesOf().length));
  for (const { title, cases } of robustnessSections) {
    assert.equal(new Set(cases.map((one) => one.title)).size, cases.length, title);
  }
});

test('a number keeps its meaning', () => {
  const titles = new Map(casesOf().map(({ number, title }) => [number, title]));
  for (const [number, title] of [
    ['R-1.11', 'a header that is folded'],
    ['R-2.39', 'HTTP/1.2'],
    ['R-3.1', 'no Host'],
    ['R-4.15', 'two lengths that differ'],
    ['R-5.39', 'a length and chunks that end before a request'],
    ['R-6.14', 'an upgrade to h2c'],
    ['R-7.1', 'a GET, cut at each byte in turn'],
    ['R-8.1', 'JSON that breaks off'],
    ['R-9.13', '__proto__'],
    ['R-10.14', 'rcn that nobody knows'],
    ['R-11.16', 'a request that has expired'],
    ['R-12.10', 'a body of ten gigabytes that is only announced'],
    ['R-13.6', 'twenty clients that reset in a head'],
    ['R-14.1', 'a request in clear'],
    // The last of each section: what came before them then still comes before them.
    ['R-1.26', 'half of the last line end'],
    ['R-2.49', 'a target of 60,000 characters'],
    ['R-3.40', 'a whole request in a value'],
    ['R-4.35', 'a DELETE of nothing without a length'],
    ['R-5.43', 'a body in chunks that is a request'],
    ['R-6.24', 'a hundred requests, one after the other'],
    ['R-7.15', 'a question, then the body'],
    ['R-8.65', 'lists in lists, 100,000 deep, without an end'],
    ['R-9.41', 'a tilde with two dots'],
    ['R-10.32', 'a hundred labels'],
    ['R-11.44', 'a thousand media types in Accept'],
    ['R-12.12', 'a length of 2^32 above a body'],
    ['R-13.12', 'a hundred clients that come and go'],
    ['R-14.11', 'a request over TLS 1.3'],
  ] as const) {
    assert.equal(titles.get(number), title);
  }
});

test('each cites a clause and says what is right; nothing is right and only tolerable', () => {
  for (const { number, clause, right, tolerable = [] } of casesOf()) {
    assert.match(clause, /^(RFC \d{4}|TS-00\d\d), /, number);
    assert.ok(right.length > 0, number);
    assert.deepEqual(
      tolerable.filter((one) => right.includes(one)),
      [],
      number,
    );
    assert.ok(![...right, ...tolerable].some((one) => one === 500) || /^R-13\.[34]$/.test(number), number);
  }
});

test('what is sent is bytes', () => {
  for (const { number, sending } of casesOf()) {
    if (sending.kind !== 'crowd') assert.match(textSent(sending.sent, place), /^[\0-\xff]+$/, number);
  }
});

test('cases are chosen by number and by section', () => {
  assert.deepEqual(
    casesOf(['R-3.1', 'R-4.20']).map(({ number }) => number),
    ['R-3.1', 'R-4.20'],
  );
  assert.ok(casesOf(['R-1']).every(({ number }) => number.startsWith('R-1.')));
  assert.equal(casesOf([]).length, casesOf().length);
  assert.throws(() => casesOf(['R-3.999', 'R-1']), /no robustness case has the number R-3\.999/);
});

test('what is a risk only when its turns are read together, or without the sentinel, is known before it is sent', () => {
  const risks = new Risks();
  const isRisk = (bytes: Uint8Array) => risks.reason({ bytes }, () => false) !== undefined;
  const together = casesOf().filter(({ sending }) => {
    if (sending.kind === 'request') return isRisk(Buffer.from(textSent(sending.sent, place), 'latin1'));
    if (sending.kind !== 'turns') return false;
    const turns = sending.turns(place, 0).map(({ bytes }) => bytes);
    return isRisk(Buffer.concat(turns)) && !turns.some(isRisk);
  });
  assert.ok(together.length > 0);
  assert.deepEqual(
    together.filter((one) => riskOf(one) === undefined).map(({ number }) => number),
    [],
  );
});

test('no row says what nobody reads', () => {
  const known = {
    row: 'case get post text requests without times turns cuts clients within then alone clause expect closes mayStoreUnanswered over',
    request: 'method target version host body instead lines drop written chunks coded',
  };
  const isKnown = (of: keyof typeof known, keys: object) =>
    Object.keys(keys).every((key) => known[of].split(' ').includes(key));
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => /^R-\d+\.yaml$/.test(name));
  assert.equal(files.length, robustnessSections.length);
  for (const file of files) {
    const { cases } = parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as {
      cases: Record<string, object>[];
    };
    for (const row of cases) {
      assert.ok(isKnown('row', row), JSON.stringify(row));
      for (const request of [row.get, row.post])
        assert.ok(typeof request !== 'object' || isKnown('request', request), JSON.stringify(row));
    }
  }
});

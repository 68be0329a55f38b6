import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../../testing/sample-cse.ts';
import { chosenIn } from '../applying.ts';
import type { Variation } from './variation.ts';

const ae = { 'm2m:ae': { rn: 'App', api: 'N.app', rr: 'TRUE' } };

/** A container without a name of its own, in an application. */
async function created(variation?: Variation) {
  const { send } = sampleCse(variation && { variations: [variation] });
  const application = (await send('POST', '/onem2m', ae)).attributes;
  const container = (await send('POST', '/onem2m/App', { 'm2m:cnt': {} })).attributes;
  return { application, container, shown: (await send('GET', `/onem2m/App/${container.rn}`)).attributes };
}

/** Likewise, by the standard. */
async function createdByStandard(variation?: Variation) {
  const { send } = sampleCse({ dialect: 'onem2m', ...(variation && { variations: [variation] }) });
  const kept = { 'm2m:cnt': { et: '20170302T180000' } };
  const application = (
    await send('POST', '/cse-in', { 'm2m:ae': { api: 'N.app', rr: true, srv: ['3'] } }, { 'x-m2m-origin': 'C' })
  ).attributes;
  const container = (await send('POST', '/cse-in', kept)).attributes;
  return { application, container, shown: (await send('GET', `/${container.ri}`)).attributes };
}

test('identifiers and names are others where the CSE chooses them, and the same wherever they are shown', async () => {
  const { application, container, shown } = await created({ identifiers: 'other prefixes' });
  assert.match(String(application.ri), /^x-\S+\.0$/);
  assert.equal(container.pi, application.ri);
  assert.deepEqual(shown, container);
  assert.match(String((await created({ names: 'short' })).container.rn), /^r-\w{16}$/);
  const long = await createdByStandard({ identifiers: 'long' });
  assert.equal(String(long.application.aei).length, 41);
  assert.equal(long.application.ri, long.application.aei);
  assert.deepEqual(long.shown, long.container);
  const odd = await createdByStandard({ identifiers: 'with dots and dashes' });
  assert.match(String(odd.container.ri), /^cnt\.\w{6}-\w{3}_$/);
  assert.deepEqual(odd.shown, odd.container);
});

test('times have a coarser resolution, or are written shorter', async () => {
  const { container, application } = await created({ times: 'in milliseconds' });
  assert.equal(application.ct, '2017-03-02T16:12:53.351000+00:00');
  assert.equal(container.ct, '2017-03-02T16:12:53.352000+00:00');
  const usual = await createdByStandard();
  assert.equal(usual.container.et, '20170302T180000,000000');
  const short = await createdByStandard({ fractions: 'without zeros at the end' });
  assert.equal(short.container.et, '20170302T180000');
  assert.equal(short.container.ct, usual.container.ct);
});

test('what lives for ever in the examples lives for an hour', async () => {
  const { application } = await created({ lifetime: 'an hour' });
  assert.equal(application.et, '2017-03-02T17:12:53.350094+00:00');
});

test('variations beside answers are rows: server certificates are accepted, one event in three is not notified', () => {
  const [varied] = chosenIn({ variations: [{ certificates: 'for servers only, too' }] });
  assert.deepEqual(
    ['INVALID_PURPOSE', 'CERT_HAS_EXPIRED'].map((code) => varied?.overlooks?.(code)),
    [true, false],
  );
  assert.equal(typeof chosenIn({ variations: [{ events: 'one in three not notified' }] })[0]?.wrapSender, 'function');
  assert.deepEqual(chosenIn({ variations: [{ lifetime: 'an hour' }] }), []);
});

test('an unknown variation is refused, by its name', () => {
  assert.throws(
    () => sampleCse({ variations: [{ keys: 'shuffled' }] }),
    /^TypeError: There is no variation "keys: shuffled"; the nearest is "keys: sorted"\.$/,
  );
  assert.throws(() => sampleCse({ variations: [{ colours: 'sorted' }] }), /There is no variation "colours: sorted"/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRequirements } from '../../engine/files/catalogue.ts';
import { requirementFilter } from './focus.ts';

test('what is of one binding is checked over no other', () => {
  const catalogue = loadRequirements();
  const ids = ['std.http.4005', 'std.coap.response.rqi', 'std.create.cr'];
  const checked = (url: string) =>
    ids.filter(requirementFilter({ dialect: 'onem2m' }, catalogue, { description: { url } }));
  assert.deepEqual(
    ['http://h', 'https://h', 'coap://h', 'mqtt://h', 'ws://h'].map((url) => checked(url).join()),
    [
      ...['http://h', 'https://h'].map(() => 'std.http.4005,std.create.cr'),
      'std.coap.response.rqi,std.create.cr',
      'std.create.cr',
      'std.create.cr',
    ],
  );
});

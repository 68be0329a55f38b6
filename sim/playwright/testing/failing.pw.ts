/** A test that fails, for what its report says. */
import { expect, test } from '../../playwright.ts';

test.use({ cselab: { tree: 'building' } });

test('fails', async ({ gateway, cse }) => {
  await fetch(`${gateway.url}/onem2m/building`);
  expect(cse.tree.has('building')).toBe(false);
});

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { UsageError } from '../../scenarios/words.ts';
import { passphraseAsker } from './masked-streams.ts';

/** A terminal at which these keys are pressed once somebody asks. */
async function typed(...keys: string[]): Promise<readonly [answer: string, shown: string, modes: readonly boolean[]]> {
  const modes: boolean[] = [];
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) });
  let shown = '';
  const ask = passphraseAsker(keyboard, { write: (text) => (shown += text) });
  assert(ask);
  const answer = ask('ae.key.pem');
  for (const one of keys) keyboard.write(one);
  return [await answer, shown, modes];
}

test('a passphrase is read without being shown', async () => {
  assert.deepEqual(await typed('gehe', 'im\r'), ['geheim', 'Passphrase of ae.key.pem: \n', [true, false]]);
});

test('keys can be taken back', async () => {
  const [answer] = await typed('gexx\u007f', '\b', 'héim\u007f\u007f\n');
  assert.equal(answer, 'gehé');
});

test('a missing passphrase is reported', async () => {
  await assert.rejects(typed('ge', '\u0003'), UsageError);
  await assert.rejects(typed('\u0004'), UsageError);
});

test('where there is no terminal nobody is asked', () => {
  assert.equal(passphraseAsker(new PassThrough(), { write: () => {} }), undefined);
});

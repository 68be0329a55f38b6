import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { UsageError } from '../scenarios/index.ts';
import { passphraseAsker } from './masked-streams.ts';

/** A terminal at which these keys are pressed once somebody listens. */
class Typist extends EventEmitter {
  readonly isTTY: boolean;
  readonly modes: boolean[] = [];
  readonly #keys: readonly string[];

  constructor(keys: readonly string[], isTTY = true) {
    super();
    this.#keys = keys;
    this.isTTY = isTTY;
  }

  setRawMode(raw: boolean): void {
    this.modes.push(raw);
  }

  resume(): void {
    queueMicrotask(() => {
      for (const keys of this.#keys) this.emit('data', Buffer.from(keys));
    });
  }

  pause(): void {}
}

async function typed(...keys: string[]): Promise<readonly [answer: string, shown: string, modes: readonly boolean[]]> {
  const typist = new Typist(keys);
  let shown = '';
  const ask = passphraseAsker(typist, { write: (text) => (shown += text) });
  assert(ask);
  const answer = await ask('ae.key.pem');
  assert.equal(typist.listenerCount('data'), 0);
  return [answer, shown, typist.modes];
}

test('a passphrase is read without being shown', async () => {
  assert.deepEqual(await typed('gehe', 'im\r'), ['geheim', 'Passphrase of ae.key.pem: \n', [true, false]]);
});

test('keys can be taken back', async () => {
  const [answer] = await typed('gexx\u007f', '\b', 'héim\u007f\u007f\n');
  assert.equal(answer, 'gehé');
});

test('whoever gives none is told so', async () => {
  for (const key of ['\u0003', '\u0004']) await assert.rejects(typed('ge', key), UsageError);
});

test('where there is no terminal nobody is asked', () => {
  assert.equal(passphraseAsker(new Typist([], false), { write: () => {} }), undefined);
});

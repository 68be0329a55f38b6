import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf } from './replay-command.ts';

const elsewhere = { kind: 'url', url: 'http://127.0.0.1:9' } as const;

test('a command repeats options, and no defaults', () => {
  assert.equal(
    commandOf({ target: elsewhere, dialect: 'documented', level: 'documented' }),
    'cselab explore --url http://127.0.0.1:9',
  );
  const broker = { kind: 'url', url: 'mqtt://me:secret@127.0.0.1/id-in' } as const;
  assert.equal(commandOf({ target: broker, level: 'documented' }), 'cselab explore --url mqtt://127.0.0.1/id-in');
  const target = { kind: 'in-process', deviations: ['a.b', 'c'] } as const;
  assert.equal(
    commandOf({ target, concurrency: 3, level: 'gap', focus: ['container.cni', 'ae'] }),
    'cselab explore --concurrency 3 --level gap --focus container.cni ae --deviation a.b --deviation c',
  );
  assert.equal(
    commandOf({ target: elsewhere, dialect: 'onem2m', pair: true }),
    'cselab explore --url http://127.0.0.1:9 --dialect onem2m --pair',
  );
  const options = { target, dialect: 'onem2m', wire: true, level: 'gap' } as const;
  assert.equal(commandOf(options), 'cselab explore --wire --dialect onem2m --level gap --deviation a.b --deviation c');
});

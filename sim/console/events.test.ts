import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { type EventLimits, Events } from './events.ts';

class Reader extends EventEmitter {
  writableLength = 0;
  readonly told: Record<string, unknown>[] = [];
  writeHead(): this {
    return this;
  }
  write(text: string): boolean {
    this.told.push(JSON.parse(text.replace('data: ', '')));
    return true;
  }
  end(): void {
    this.emit('close');
  }
}

/** A pause that is never over, so that a test says when events are told. */
function eventsFor(limits: Partial<EventLimits> = {}) {
  const events = new Events(() => ({ count: 7 }), { pause: 2 ** 30, ...limits });
  const reader = new Reader();
  const look = (one: Reader) => events.watch(one as unknown as ServerResponse, {});
  assert.equal(look(reader), true);
  return { events, reader, look };
}

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : undefined);

const message = (id: number, took?: number) => ({
  ...{ id, at: 0, from: 'applications', to: 'x', method: 'GET', target: '/' },
  ...(took !== undefined && { took, status: 200 }),
});
const leaf = (id: string) => ({ id, name: id, type: 'cnt', children: 0 });

test('what comes between two events is one event, each message in its last state', () => {
  const { events, reader } = eventsFor();
  events.message(message(1));
  events.message(message(2));
  events.message(message(1, 3));
  events.treeChanged({ cse: 'x', parent: 'cb0', children: 1, added: leaf('a') });
  events.flush();
  assert.deepEqual(reader.told, [
    { begins: true, count: 7 },
    {
      messages: [message(1, 3), message(2)],
      skipped: 0,
      tree: [{ cse: 'x', parent: 'cb0', children: 1, added: leaf('a') }],
      anew: [],
      count: 7,
    },
  ]);
  events.end();
});

test('one event holds a bounded number of messages, and says how many it leaves out', () => {
  const { events, reader } = eventsFor({ messages: 2 });
  for (const id of [1, 2, 3, 4]) events.message(message(id));
  events.message(message(4, 1));
  events.flush();
  assert.deepEqual([lengthOf(reader.told[1]?.messages), reader.told[1]?.skipped], [2, 2]);
  events.end();
});

test('where too much of a tree has changed it is to be read anew, and that of others is not', () => {
  const { events, reader } = eventsFor({ changes: 2 });
  events.treeChanged({ cse: 'other', parent: 'cb0', children: 1, added: leaf('a') });
  for (const id of ['b', 'c', 'd']) events.treeChanged({ cse: 'x', parent: 'cb0', children: 1, added: leaf(id) });
  events.flush();
  assert.deepEqual([reader.told[1]?.anew, lengthOf(reader.told[1]?.tree)], [['x'], 1]);
  events.end();
});

test('a slow watcher gets nothing for a while, then begins anew', () => {
  const { events, reader } = eventsFor({ unread: 100 });
  reader.writableLength = 101;
  events.flush();
  reader.writableLength = 0;
  events.flush();
  events.flush();
  assert.deepEqual(
    reader.told.map(({ begins }) => begins),
    [true, true, undefined],
  );
  events.end();
});

test('a bounded number of pages may look, and nothing is kept for nobody', () => {
  const { events, reader, look } = eventsFor({ watchers: 1 });
  assert.equal(look(new Reader()), false);
  reader.end();
  assert.equal(events.watchers, 0);
  events.message(message(1));
  events.treeChanged({ cse: 'x', parent: 'cb0', children: 1, added: leaf('a') });
  const next = new Reader();
  assert.equal(look(next), true);
  events.flush();
  assert.deepEqual([next.told[1]?.messages, next.told[1]?.tree], [[], []]);
  events.end();
});

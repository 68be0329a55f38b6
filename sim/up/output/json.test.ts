import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseNode } from '../../topology/node.ts';
import type { Activity } from './activity.ts';
import type { RequestCounts, UpEvent } from './event.ts';
import { jsonOutput, registrationWatch } from './json.ts';

const none: RequestCounts = { requests: 0, refused: 0, failed: 0, notifications: 0, undelivered: 0 };
const held = { resources: 7, applications: 2, subscriptions: 1 };

test('each line is an object with the time and what it is', () => {
  let written = '';
  const teller = jsonOutput(
    (text) => {
      written += text;
    },
    () => new Date(0),
  );
  teller.greet('for people only');
  teller.report({ event: 'log', cse: 'mn-cse-1', message: 'a\nb' });
  teller.end();
  assert.equal(written, '{"time":"1970-01-01T00:00:00.000Z","event":"log","cse":"mn-cse-1","message":"a\\nb"}\n');
});

test('registrations are reported when they change, and summaries at every tenth check', () => {
  const registration = { remote: 'in-cse-1', registered: true, problem: undefined as string | undefined };
  const activity = { counts: none, census: () => held };
  const node = { registrations: [registration] } as unknown as CseNode;
  const told: UpEvent[] = [];
  const look = registrationWatch(
    [{ cse: 'mn-cse-1', role: 'gateway', node, settings: { cse: {} }, activity: activity as unknown as Activity }],
    (event) => void told.push(event),
  );
  const lookTimes = (times: number) => {
    told.length = 0;
    for (let done = 0; done < times; done++) look();
    return told.map((event) => ({ ...event, ...('seconds' in event && { seconds: 0 }) }));
  };
  const change = { event: 'registration', cse: 'mn-cse-1', at: 'in-cse-1' };
  assert.deepEqual(told, [{ ...change, registered: true }]);
  assert.deepEqual(lookTimes(10), []);
  activity.counts = { ...none, requests: 3, refused: 1 };
  assert.deepEqual(lookTimes(9), []);
  const sum = { event: 'summary', cse: 'mn-cse-1', seconds: 0, ...held };
  assert.deepEqual(lookTimes(1), [{ ...sum, ...none, requests: 3, refused: 1 }]);
  activity.counts = { ...none, requests: 5, refused: 1 };
  Object.assign(registration, { registered: false, problem: 'refused' });
  assert.deepEqual(lookTimes(10), [
    { ...change, registered: false, problem: 'refused' },
    { ...sum, ...none, requests: 2 },
  ]);
});

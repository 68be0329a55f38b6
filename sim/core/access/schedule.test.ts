import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSchedule, isScheduled } from './schedule.ts';

/** A Thursday, 2017-03-02T16:12:53Z, in microseconds. */
const moment = Date.UTC(2017, 2, 2, 16, 12, 53) * 1000;

const schedules: readonly (readonly [schedule: string, holds: boolean])[] = [
  ['* * * * * *', true],
  ['* * * * * * *', true],
  ['53 12 16 2 3 4 2017', true],
  ['50-55/3 */12 8-16 1,2 */2 1-5 2017', true],
  ['* * * * * 0,6', false],
  ['* * * * * 7 *', false],
  ['* * * * * * 2016', false],
];

for (const [schedule, holds] of schedules) {
  test(`${schedule} is a schedule, with${holds ? '' : 'out'} the moment`, () => {
    assert.equal(isSchedule(schedule), true);
    assert.equal(isScheduled(schedule, moment), holds);
  });
}

const others = [
  '',
  'always',
  '* * *',
  '* * * * * * * *',
  '60 * * * * *',
  '* * 9-8 * * *',
  '* * * 0 * *',
  '* * * * */0 *',
];

for (const text of others) {
  test(`${JSON.stringify(text)} is no schedule`, () => {
    assert.equal(isSchedule(text), false);
    assert.equal(isScheduled(text, moment), false);
  });
}

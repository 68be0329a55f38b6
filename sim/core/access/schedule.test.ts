import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSchedule, isScheduled } from './schedule.ts';

/** In microseconds. */
const [thursday, sunday] = [Date.UTC(2017, 2, 2, 16, 12, 53) * 1000, Date.UTC(2017, 2, 5) * 1000];

const schedules: readonly (readonly [schedule: string, holds: boolean, moment?: number])[] = [
  ['* * * * * *', true],
  ['* * * * * * *', true],
  ['53 12 16 2 3 4 2017', true],
  ['50-55/3 */12 8-16 1,2 */2 1-5 2017', true],
  ['* * * * * 0,6', false],
  ['* * * * * 7 *', false],
  ['* * * * * * 2016', false],
  ['53/2 12/2 16/2 2/2 3/2 4/2 2017/2', true],
  ['54 * * * * *', false],
  ['52/2 * * * * *', false],
  ['50-52 * * * * *', false],
  ['* * * * * 0', true, sunday],
  ['* * * * * 7', true, sunday],
  ['* * * * * 1-6', false, sunday],
  ['0 0 0 1 1 * 1970', true, 0],
  ['0-59 0-59 0-23 1-31 1-12 0-7 1970-9999', true],
];

for (const [schedule, holds, moment = thursday] of schedules) {
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
  '* 60 * * * *',
  '* * 24 * * *',
  '* * * 32 * *',
  '* * * * 0 *',
  '* * * * 13 *',
  '* * * * * 8',
  '* * * * * * 1969',
  '* * * * * * 10000',
  '* * 9-8 * * *',
  '* * * 0 * *',
  '* * * * */0 *',
];

for (const text of others) {
  test(`${JSON.stringify(text)} is no schedule`, () => {
    assert.equal(isSchedule(text), false);
    assert.equal(isScheduled(text, thursday), false);
  });
}

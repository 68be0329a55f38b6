import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CseError, ifRefused, statusOf, unlessRefused } from './status.ts';

/** TS-0004, clause 6.6.3, with table 6.3.2-1 of TS-0009. */
const codes: Readonly<Record<number, readonly number[]>> = {
  200: [2000, 2002, 2004],
  201: [2001],
  202: [1000, 1001, 1002],
  400: [4000, 4102, 4110, 4120, 4122, 4123, 4132, 4135, 4136, 4139, 4142, 4143, 6010, 6022, 6023, 6024],
  403: [
    ...[4101, 4103, 4106, 4107, 4108, 4109, 4111, 4112, 4113, 4114, 4115, 4116, 4117, 4126, 4127, 4128],
    ...[4137, 4138, 4140, 4141, 5105, 5203, 5205, 5208, 5214, 5215, 5218, 5222, 6034],
  ],
  404: [4004, 4118, 4119, 4121, 4131, 4133, 5103, 5107, 6003, 6005],
  405: [4005],
  406: [5207],
  409: [4104, 4105, 4124, 4130, 5106, 5219, 5220, 6028, 6029],
  415: [4015],
  500: [...[5000, 5204, 5209, 5210, 5211, 5212, 5216, 5217, 5221, 5230, 5231, 5232], ...[6020, 6021, 6025, 6026, 6033]],
  501: [4125, 5001, 5206],
  504: [4008, 6030, 6031],
};

test('every response status code of the standard has its HTTP status', () => {
  for (const [http, all] of Object.entries(codes)) {
    for (const code of all) assert.equal(statusOf(code, 299).http, Number(http), String(code));
  }
});

test('a release that is not supported is a bad request, as this project decided', () => {
  assert.equal(statusOf(4001, 299).http, 400);
});

test('an unknown code keeps its HTTP status', () => {
  assert.deepEqual(statusOf(4999, 418), { code: 4999, http: 418 });
});

test('a refusal costs no stack, and leaves it to other errors', () => {
  assert.equal(new CseError('NOT_FOUND', 'Gone.').stack, 'CseError: Gone.');
  assert.match(String(new Error('defect').stack), /status\.test/);
});

test('a refusal has the status of its name or the one given, and the HTTP status of that unless told otherwise', () => {
  const facts = ({ status, http, allow }: CseError) => [status.code, http, allow];
  assert.deepEqual(facts(new CseError('NOT_FOUND', '')), [4004, 404, undefined]);
  assert.deepEqual(facts(new CseError({ code: 4999, http: 418 }, '')), [4999, 418, undefined]);
  assert.deepEqual(facts(new CseError('NOT_ACCEPTABLE', '', { http: 413, allow: [] })), [5207, 413, []]);
});

test('refused work has no result, and an internal error is reported', async () => {
  const told: unknown[] = [];
  const outcome = (work: Promise<string>) => unlessRefused(work, { onError: (error) => told.push(error) });
  assert.equal(await outcome(Promise.resolve('done')), 'done');
  assert.equal(await outcome(Promise.reject(new CseError('NOT_FOUND', ''))), undefined);
  assert.deepEqual(told, []);
  const defect = new TypeError();
  assert.equal(await outcome(Promise.reject(defect)), undefined);
  assert.deepEqual(told, [defect]);
  assert.equal(ifRefused(({ http }) => http)(new CseError('NOT_FOUND', '')), 404);
  assert.throws(() => ifRefused(() => 0)(defect), defect);
});

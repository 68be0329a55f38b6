import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertIn } from '../messages/tls.ts';

const written = (number: number) =>
  new Error(
    `80EBFA:error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert:../ssl/record/rec_layer_s3.c:1605:SSL alert number ${number}`,
  );

test('an alert is told by its number, so that no version of OpenSSL changes its name', () => {
  assert.deepEqual(
    [42, 45, 48, 116].map((number) => alertIn(written(number))),
    ['bad certificate', 'certificate expired', 'unknown ca', 'certificate required'],
  );
  assert.equal(alertIn(written(199)), 'alert 199');
});

test('an error without an alert tells of none', () => {
  assert.deepEqual([new Error('read ECONNRESET'), 'SSL alert number 42', undefined].map(alertIn), [
    undefined,
    undefined,
    undefined,
  ]);
});

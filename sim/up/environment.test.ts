import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, CommanderError } from 'commander';
import type { UpOptions } from './options.ts';
import { define, readEnvironment } from './up-command.ts';

function options(args: readonly string[], environment: Readonly<Record<string, string>>): UpOptions {
  const program = new Command('cselab').exitOverride();
  const up = program.command('up').configureOutput({ writeErr: () => {} });
  define(up);
  up.parseOptions([...args]);
  readEnvironment(up, environment);
  return up.opts();
}

test('each option of up can be a variable of the environment', () => {
  const variables = { CSELAB_UP_HEALTH_PORT: '8090', CSELAB_UP_DEVIATION: 'a.b,c.d', CSELAB_UP_OWN_URL: 'http://me' };
  const { healthPort, deviation, ownUrl } = options([], variables);
  assert.deepEqual(
    { healthPort, deviation, ownUrl },
    { healthPort: 8090, deviation: ['a.b', 'c.d'], ownUrl: 'http://me' },
  );
});

test('an option without a value is meant by 1, true or yes', () => {
  assert.equal(options([], { CSELAB_UP_HTTPS: 'true' }).https, true);
  assert.equal(options([], { CSELAB_UP_HTTPS: '0' }).https, undefined);
  assert.equal(options([], { CSELAB_UP_NO_BACKEND: 'yes' }).backend, false);
});

test('the command line wins, and an empty variable says nothing', () => {
  assert.equal(options(['--port', '1'], { CSELAB_UP_PORT: '2' }).port, 1);
  assert.equal(options(['--backend', 'mine.json'], { CSELAB_UP_NO_BACKEND: '1' }).backend, 'mine.json');
  assert.equal(options(['--gateways', '2'], { CSELAB_UP_GATEWAYS: '' }).gateways, 2);
  assert.equal(options([], { CSELAB_UP_GATEWAYS: '3' }).gateways, 3);
});

test('lifetimes are durations, in seconds without a unit', () => {
  const { lifetime, longestLifetime } = options(['--lifetime', '90'], { CSELAB_UP_LONGEST_LIFETIME: '1h' });
  assert.deepEqual([lifetime, longestLifetime], [90, 3600]);
  assert.throws(() => options(['--lifetime', '1w'], {}), CommanderError);
});

test('a variable that cannot be meant is refused as its option is', () => {
  assert.throws(() => options([], { CSELAB_UP_DIALECT: 'klingon' }), CommanderError);
});

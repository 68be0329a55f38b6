import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { define } from './check.ts';

function parsed(...args: string[]): Promise<unknown> {
  const program = new Command('cselab').exitOverride().configureOutput({ writeErr: () => {} });
  define(program.command('check'));
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  return program.parseAsync(['check', ...args], { from: 'user' });
}

test('numbers and times that cannot be meant are refused before anything is sent', async () => {
  for (const args of [
    ['--max-fail', '0'],
    ['--jobs', '0'],
    ['--jobs', 'many'],
    ['--wait-budget', '0'],
    ['--timeout', '5 parsecs'],
  ]) {
    await assert.rejects(parsed(...args), CommanderError, args.join(' '));
  }
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('a command is waited for though nothing else goes on in the process', () => {
  const module = new URL('./safety-flags.ts', import.meta.url).href;
  const script = `const { restarter } = await import('${module}'); await restarter('exit 0')(); console.log('back');`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, 'back\n']);
});

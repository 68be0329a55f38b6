/** `npm run dev`: runs the tests nearest to each saved source; words choose among them as in `npm test -- words`. */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { loader } from '../fixtures/testing/loader.ts';
import { nearestTests } from './nearest-tests.ts';

/** Milliseconds: an editor saves in several steps. */
const quiet = 100;
/** More tests would not finish before the next save. */
const most = 8;

const words = process.argv.slice(2);
const saved = new Set<string>();
let timer: NodeJS.Timeout | undefined;
let running: ReturnType<typeof spawn> | undefined;

watch('.', { recursive: true }, (_, name) => {
  if (name === null || !/^(?!node_modules|dist|\.git|reports\/latest).*\.(tsx?|yaml)$/.test(name)) return;
  saved.add(name);
  clearTimeout(timer);
  timer = setTimeout(begin, quiet);
});
console.log('Waiting for a source to be saved …');

function begin(): void {
  const names = [...saved];
  saved.clear();
  const nearest = new Set(names.flatMap((name) => nearestTests(name, most)));
  const files = [...nearest].filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  console.log(`\n${names.join(', ')}: ${files.length === 0 ? 'no test imports it' : files.join(', ')}`);
  running?.kill();
  if (files.length > 0) running = spawn(process.execPath, [...loader(), '--test', ...files], { stdio: 'inherit' });
}

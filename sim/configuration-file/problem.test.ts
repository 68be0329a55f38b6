import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError, type ConfigurationProblem, renderConfigurationProblem } from './problem.ts';
import { parseConfiguration } from './read.ts';

test('the message of the error shows each place with a caret under it', () => {
  const text = `{
  "plugins": { "HTTPTransportPlugin": { "disabled": false, "config": { "interface": "::", "port": -1 } } },
  "onem2m": {
\t"sp_id": "a/b", "cse_id": "c", "cse_type": "IN-CSE", "cse_base": "d"
  }
}`;
  assert.throws(() => parseConfiguration(text, 'gateway.json'), {
    name: 'ConfigurationError',
    message: `gateway.json:2:99: expected a whole number from 0 to 65535, found -1
 2 |   "plugins": { "HTTPTransportPlugin": { "disabled": false, "config": { "interface": "::", "port": -1 } } },
   |                                                                                                   ^^

gateway.json:4:11: "a/b" has a slash inside
 4 | \t"sp_id": "a/b", "cse_id": "c", "cse_type": "IN-CSE", "cse_base": "d"
   | \t         ^^^^^`,
  });
});

test('a note says that it is one, and of a long line the part around the place is shown', () => {
  const problem: ConfigurationProblem = {
    file: 'f.json',
    line: 3,
    column: 501,
    length: 2,
    message: 'says something',
    sourceLine: `${'a'.repeat(499)}\u{1b}bc${'d'.repeat(500)}`,
    severity: 'note',
  };
  assert.equal(
    renderConfigurationProblem(problem),
    `f.json:3:501: note: says something
 3 | ${'a'.repeat(59)}\u{fffd}bc${'d'.repeat(58)}
   | ${' '.repeat(60)}^^`,
  );
});

test('of very many errors the first fifty are shown, and how many more there are', () => {
  const text = JSON.stringify({ plugins: Array.from({ length: 1000 }, () => 1), onem2m: {} }, null, 1);
  assert.throws(
    () => parseConfiguration(text, 'f.json'),
    (error) => {
      assert(error instanceof ConfigurationError);
      assert.equal(error.problems.length, 1001);
      assert.match(error.message, /\n\nand 951 more errors$/);
      return true;
    },
  );
});

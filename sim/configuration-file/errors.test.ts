import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileCheck } from './checks.ts';
import { ConfigurationError, type ConfigurationProblem } from './problem.ts';
import { lookOnDisk, parseConfiguration } from './read.ts';

const gateway = `{
  "plugins": [
    {
      "name": "HTTPTransportPlugin",
      "package": "x",
      "disabled": false,
      "config": { "interface": "127.0.0.1", "port": 8000, "enable_https": false, "require_cert": false }
    },
    {
      "name": "RegistrationHandler",
      "package": "y",
      "disabled": false,
      "config": {
        "interval": 3600,
        "offset": 1800,
        "labels": ["l"],
        "remote_cses": [
          {
            "cse_id": "in-cse-1",
            "cse_base": "onem2m",
            "cse_type": "IN_CSE",
            "poa": ["http://there:18000"],
            "own_poa": ["http://here:8000"]
          }
        ]
      }
    }
  ],
  "onem2m": {
    "cse_base": "cse",
    "cse_id": "mn-cse-1",
    "cse_type": "MN-CSE",
    "sp_id": "openmtc.org",
    "overwrite_originator": { "enabled": false, "originator": "//openmtc.org/mn-cse-1" },
    "ssl_certs": { "key": "k.pem", "crt": "c.pem", "ca": "ca.pem" }
  },
  "global": { "default_lifetime": 60, "require_auth": false }
}
`;

type Change = readonly [from: string, to: string];

function changed(changes: readonly Change[]): string {
  return changes.reduce((text, [from, to]) => {
    assert(text.includes(from), `${from} does not stand in the file`);
    return text.replace(from, to);
  }, gateway);
}

function problemsOf(text: string, look: FileCheck = () => undefined): readonly ConfigurationProblem[] {
  try {
    return parseConfiguration(text, 'gateway.json', look).notes;
  } catch (error) {
    assert(error instanceof ConfigurationError);
    return error.problems;
  }
}

/** `line: severity: marked text: message`, after making sure that the line is that line of the file. */
function summary(text: string, problems: readonly ConfigurationProblem[]): string[] {
  return problems.map(({ line, column, length, message, sourceLine, severity }) => {
    assert.equal(sourceLine, text.split('\n')[line - 1]);
    return `${line}: ${severity}: ${sourceLine.slice(column - 1, column - 1 + length)}: ${message}`;
  });
}

const https: Change = ['"enable_https": false', '"enable_https": true'];
const ownHttps: Change = ['http://here', 'https://here'];
const poaHttps: Change = ['http://there', 'https://there'];
const remoteStart = `          {
            "cse_id"`;

const cases: ReadonlyArray<readonly [title: string, changes: readonly Change[], expected: readonly string[]]> = [
  ['a file without mistakes has no problems', [], []],
  [
    'values of the wrong kind',
    [
      ['8000,', '"8000",'],
      ['"labels": ["l"]', '"labels": "l"'],
      ['"cse"', 'null'],
      ['"require_auth": false', '"require_auth": [1]'],
      ['{ "key": "k.pem", "crt": "c.pem", "ca": "ca.pem" }', '7'],
    ],
    [
      '7: error: "8000": expected a whole number, found "8000"',
      '16: error: "l": expected a list, found "l"',
      '30: error: null: expected a string, found null',
      '35: error: 7: expected an object, found 7',
      '37: error: [1]: expected true or false, found a list',
    ],
  ],
  [
    'a port out of range',
    [['8000,', '65536,']],
    ['7: error: 65536: expected a whole number from 0 to 65535, found 65536'],
  ],
  [
    'an interface that is none',
    [['127.0.0.1', '[::]']],
    ['7: error: "[::]": "[::]" is no address to listen on; an IPv6 address stands without brackets here'],
  ],
  [
    'times that are not positive',
    [
      ['3600', '0'],
      ['1800', '1.5'],
      ['"default_lifetime": 60', '"default_lifetime": -1'],
    ],
    [
      '14: error: 0: expected a whole number from 1 to 2147483647, found 0',
      '15: error: 1.5: expected a whole number from 1 to 2147483647, found 1.5',
      '37: error: -1: expected a whole number from 1 to 2147483647, found -1',
    ],
  ],
  [
    'a key that stands twice',
    [['"cse_base": "cse",', '"cse_base": "cse", "cse_base": "other",']],
    ['30: error: "cse_base": the key "cse_base" stands twice in the same object'],
  ],
  [
    'required values that are missing',
    [
      ['"cse_base": "cse",', ''],
      ['"sp_id": "openmtc.org",', ''],
      ['"interval": 3600,', ''],
      ['"cse_type": "IN_CSE",', ''],
      ['"disabled": false,', ''],
    ],
    [
      '3: error: {: "disabled" is missing',
      '13: error: "config": "interval" is missing',
      '18: error: {: "cse_type" is missing',
      '29: error: "onem2m": "cse_base" and "sp_id" are missing',
    ],
  ],
  [
    'a required key with a slip in it is shown where it stands',
    [['"interval"', '"intervall"']],
    ['14: error: "intervall": "interval" is missing; is "intervall" meant for it?'],
  ],
  [
    'keys that nobody knows',
    [
      ['"labels"', '"lables"'],
      ['"require_auth"', '"colour": "red", "require-auth"'],
      ['"name": "HTTPTransportPlugin"', '"name": "HttpTransportPlugin"'],
    ],
    [
      '2: note: "plugins": there is no HTTPTransportPlugin, so this CSE does not listen',
      '4: note: "HttpTransportPlugin": the plugin "HttpTransportPlugin" is not used; did you mean "HTTPTransportPlugin"?',
      '16: note: "lables": "lables" is not used; did you mean "labels"?',
      '37: note: "colour": "colour" is not used',
      '37: note: "require-auth": "require-auth" is not used; did you mean "require_auth"?',
    ],
  ],
  [
    'identifiers',
    [
      ['"cse"', '"a/b"'],
      ['"mn-cse-1"', '"//openmtc.org/mn-cse-1"'],
      ['"openmtc.org"', '"open mtc"'],
      ['"onem2m",', '"~",'],
      ['"IN_CSE"', '"IN-CS"'],
      ['"MN-CSE"', '"gateway"'],
    ],
    [
      '20: error: "~": "~" means something else in a path',
      '21: error: "IN-CS": "IN-CS" is none of IN-CSE, MN-CSE, ASN-CSE; did you mean "IN-CSE"?',
      '30: error: "a/b": "a/b" has a slash inside',
      '31: error: "//openmtc.org/mn-cse-1": "//openmtc.org/mn-cse-1" has a slash inside',
      '32: error: "gateway": "gateway" is none of IN-CSE, MN-CSE, ASN-CSE',
      '33: error: "open mtc": "open mtc" has a character that cannot stand in an identifier',
    ],
  ],
  [
    'a leading slash of a cse_id is tolerated',
    [['"in-cse-1"', '"/in-cse-1"']],
    ['19: note: "/in-cse-1": a cse_id stands in this file without the leading slash'],
  ],
  [
    'a remote CSE that is this one, and one that stands twice',
    [
      ['"in-cse-1"', '"/mn-cse-1"'],
      [
        remoteStart,
        `{ "cse_id": "mn-cse-1", "cse_base": "b", "cse_type": "IN_CSE", "poa": [], "own_poa": [] },\n${remoteStart}`,
      ],
    ],
    [
      '18: error: "mn-cse-1": "mn-cse-1" is this CSE itself',
      '18: error: []: one URL at least is needed to reach the other CSE',
      '20: error: "/mn-cse-1": "mn-cse-1" is this CSE itself',
      '20: error: "/mn-cse-1": "mn-cse-1" stands twice among the remote CSEs',
    ],
  ],
  [
    'URLs that are none or cannot be used',
    [
      [
        '"http://there:18000"',
        '"localhost:18000", "http://", "mqtt://x", "http://x/path", "http://u:p@x", "http://here:8000/"',
      ],
    ],
    [
      '22: error: "localhost:18000": "localhost:18000" is no URL such as http://localhost:8000',
      '22: error: "http://": "http://" is no URL such as http://localhost:8000',
      '22: error: "mqtt://x": "mqtt://x" has the scheme mqtt, not http or https',
      '22: error: "http://x/path": "http://x/path" has more than scheme, host and port',
      '22: error: "http://u:p@x": "http://u:p@x" has more than scheme, host and port',
      '22: error: "http://here:8000/": "http://here:8000" stands in own_poa too, so it leads to this CSE itself',
    ],
  ],
  ['HTTPS here and there', [https, ownHttps, poaHttps], []],
  [
    'HTTPS here, and an own_poa without',
    [https, poaHttps],
    [
      '23: error: "http://here:8000": "http://here:8000" is where the other CSE reaches this one, but enable_https is true, so it must be an https one',
    ],
  ],
  [
    'HTTPS here, and a poa without',
    [https, ownHttps],
    ['22: error: "http://there:18000": "http://there:18000" must be an https URL, because enable_https is true'],
  ],
  [
    'no HTTPS here, and an own_poa with it',
    [ownHttps],
    [
      '23: error: "https://here:8000": "https://here:8000" is where the other CSE reaches this one, but enable_https is false',
    ],
  ],
  [
    'HTTPS at the other CSE only is permitted, with a note',
    [poaHttps],
    [
      '22: note: "https://there:18000": this CSE speaks plain HTTP and is to reach the other one by HTTPS; when both speak HTTPS, all URLs are https',
    ],
  ],
  [
    'HTTPS without its files, and without saying whether certificates are required',
    [https, ownHttps, poaHttps, [', "require_cert": false', ''], ['"key": "k.pem", ', ''], [', "ca": "ca.pem"', '']],
    [
      '7: error: "config": "require_cert" is missing',
      '35: error: "ssl_certs": "key" and "ca" are missing; needed because enable_https is true',
    ],
  ],
  [
    'HTTPS without ssl_certs',
    [https, ownHttps, poaHttps, [',\n    "ssl_certs": { "key": "k.pem", "crt": "c.pem", "ca": "ca.pem" }', '']],
    ['29: error: "onem2m": "ssl_certs" is missing; needed because enable_https is true'],
  ],
  [
    'a remote CSE over HTTPS, and nothing to verify it by',
    [poaHttps, [', "ca": "ca.pem"', '']],
    ['35: error: "ssl_certs": "ca" is missing; needed to reach "https://there:18000" over HTTPS'],
  ],
  [
    'an originator that is not absolute, where it is enabled',
    [['"enabled": false, "originator": "//', '"enabled": true, "originator": "/']],
    ['34: error: "/openmtc.org/mn-cse-1": "/openmtc.org/mn-cse-1" is not absolute, as in //openmtc.org/mn-cse-1'],
  ],
  [
    'no originator where it is enabled',
    [['"enabled": false, "originator": "//openmtc.org/mn-cse-1"', '"enabled": true']],
    ['34: error: "overwrite_originator": "originator" is missing'],
  ],
  [
    'plugins with names that contradict, are missing or stand twice',
    [
      ['"plugins": [', '"plugins": { "HTTPTransportPlugin": { "name": "other", "disabled": false }, "more": ['],
      ['"name": "HTTPTransportPlugin",', ''],
      [
        '  ],\n  "onem2m"',
        '  ], "x": { "name": "RegistrationHandler", "disabled": false, "config": {} } },\n  "onem2m"',
      ],
    ],
    [
      '2: error: "other": this entry stands as HTTPTransportPlugin and is named "other"',
      '3: error: {: "name" is missing',
      '28: error: "RegistrationHandler": RegistrationHandler is enabled twice',
    ],
  ],
];

for (const [title, changes, expected] of cases) {
  test(title, () => {
    const text = changed(changes);
    assert.deepEqual(summary(text, problemsOf(text)), expected);
  });
}

test('files that are not there are errors where HTTPS needs them, else one note', () => {
  const text = changed([https, ownHttps, poaHttps]);
  const look = (path: string) => (path.endsWith('ca.pem') ? 'does not exist' : undefined);
  assert.deepEqual(summary(text, problemsOf(text, look)), [
    '35: error: "ca.pem": "ca.pem" does not exist (looked for at ca.pem); needed because enable_https is true',
  ]);
  assert.deepEqual(summary(gateway, problemsOf(gateway, look)), [
    '35: note: "ssl_certs": these files are not all there, and without HTTPS nobody needs them',
  ]);
  assert.equal(lookOnDisk(import.meta.filename), undefined);
  assert.equal(lookOnDisk(import.meta.dirname), 'is a folder');
  assert.equal(lookOnDisk(`${import.meta.filename}/x`), 'does not exist');
});

test('without plugins and onem2m there is nothing to run', () => {
  assert.deepEqual(summary('{}', problemsOf('{}')), ['1: error: {: "onem2m" and "plugins" are missing']);
  assert.deepEqual(summary('[]', problemsOf('[]')), ['1: error: []: expected an object, found a list']);
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getOrAdd } from './basics/memoize.ts';
import { type Import, importsOf } from './testing/imports.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const roots = ['sim', 'scenarios', 'reports', 'fixtures', 'certs', 'cli.ts'];
const doors = [
  'sim/index.ts',
  'sim/coap.ts',
  'sim/matchers.ts',
  'sim/mqtt.ts',
  'sim/playwright.ts',
  'sim/testcontainers.ts',
  'sim/ws.ts',
  'scenarios/index.ts',
  'scenarios/results.ts',
  'scenarios/words.ts',
];

interface Rule {
  readonly who: RegExp;
  readonly may: RegExp;
  /** What types only may be taken from, in addition. */
  readonly types?: RegExp;
  readonly because: string;
}

const aTest = /\.(test|spec)\.tsx?$|(^|\/)test-(cse|servers)\.ts$|\/testing\//;
const aModule = /^(?!\.)(?!(sim|scenarios|reports|fixtures|certs)\/)(?!cli\.ts$)/;

/** What the simulator offers to the rest of the project, each by its own file: its door is for others. */
const simulator =
  /^sim\/(bindings\/(fetch|http)|cse\/create-cse|deviations\/(index|drawn\/[a-z-]+)|environment\/clock|products\/[a-z-]+|topology\/(joined-)?pair|witness\/witness)\.ts$/;
/** Shapes of messages that pass between them. */
const messages = /^sim\/dialects\/(http|outgoing)-message\.ts$/;

/** What the harness offers to the commands, each by its own file: loaded with the command that needs it, and nothing else. */
const harness =
  /^scenarios\/(applications\/(check-applications|duty)|baseline\/(edit|explain)|checking\/(behaviour|check|clean-up|doctor|configuration|fingerprints|lock)|completion\/complete|doctor\/remark|engine\/basics\/diagnostics|engine\/files\/(catalogue|coverage|issues|load|source-file)|engine\/targets\/embedded\/simulated-products|file-kinds|generators\/[a-z]+\/(diff|explore(-[a-z]+)?)|lint|mutants\/(drawn|explanation|mutants)|mutants\/drawn\/drawn-table|oracle\/(judge|rules)|probe\/(finding|probe|target-file-text)|profile\/profile|recording\/record|robustness\/robustness|target-files\/target-file|target-files\/claims-form|traffic\/(judge-traffic|rejudge-messages))\.ts$/;

/** The first rule whose `who` matches a file says what it may import. */
const rules: readonly Rule[] = [
  {
    who: /^certs\//,
    may: /^certs\/(?!make\.ts$)|^node:|^@peculiar\/x509$|^reflect-metadata$/,
    types: /^commander$/,
    because: 'certificates need nobody, and make.ts makes those that are shipped anew as soon as it is imported',
  },
  {
    who: /^sim\/.*(\.test|\/testing\/[^/]+)\.ts$/,
    may: /^sim\/|^\.ci\/sample\.ts$|^certs\/(?!make\.ts$)|^(?!\.)[^/]*$|^node:|^(msw|ajv)\/|^@/,
    because: 'tests of the simulator do not need the harness',
  },
  { who: /^sim\/core\//, may: /^sim\/core\//, because: 'the core has no transport, no dialect, no clock, no I/O' },
  { who: /^sim\/resources\//, may: /^sim\/(core|resources)\//, because: 'a kind of resource is described to the core' },
  {
    who: /^sim\/dialects\//,
    may: /^sim\/(core|dialects)\/|^(node:|cborg$)/,
    because: 'dialects turn messages into primitives of the core',
  },
  {
    who: /^sim\/deviations\/(?!drawn\/)/,
    may: /^sim\/((core|dialects|deviations)\/|environment\/defined\.ts$)|^(node:|(fastest-levenshtein|yaml|zod)$)/,
    types: /^certs\/pki\.ts$/,
    because: 'what a CSE does wrong stands around its dialects, and is data',
  },
  {
    who: /^sim\/bindings\//,
    may: /^sim\/(core|dialects|bindings|environment)\/|^certs\/(?!make\.ts$)|^node:|^(msw|undici|mqtt|aedes|ws|coap-packet)(\/|$)/,
    because: 'bindings turn bytes into messages of a dialect',
  },
  {
    who: /^sim\/disturbance\//,
    may: /^sim\/(core|dialects|bindings|disturbance|environment)\/|^certs\/refused\.ts$|^node:|^zod$/,
    types: /^certs\/pki\.ts$/,
    because: 'what breaks connections stands at the binding, and knows nothing of the installation',
  },
  {
    who: /^sim\//,
    may: /^sim\/|^certs\/(?!make\.ts$)|^node:|^(?!(scenarios|reports|fixtures|certs)\/)[^/]+(\/|$)/,
    because: 'the simulator knows nothing of tests',
  },
  {
    who: /^scenarios\/.*(\.test|\/testing\/[^/]+)\.ts$/,
    may: /^(scenarios\/|\.ci\/sample\.ts$|certs\/(?!make\.ts$)|sim\/(coap|index|mqtt)\.ts$|node:|(aedes|mqtt)$|coap-packet$|fast-check$|undici$|ws$|yaml$|zod$)/,
    because: 'tests may use the doors',
  },
  {
    who: /^scenarios\/(engine\/targets\/embedded|mutants|profile)\//,
    may: new RegExp(`^(scenarios\\/|certs\\/(?!make\\.ts$)|node:|(yaml|zod)$)|${simulator.source}|${messages.source}`),
    types: /^sim\/topology\/pair-certificates\.ts$/,
    because: 'the embedded target and what measures the harness are the ways from scenarios to the simulator',
  },
  {
    who: /^scenarios\/generators\//,
    may: /^(scenarios\/|node:|fast-check$|yaml$)/,
    types: /^commander$/,
    because: 'generators are arbitraries and laws, and know no more of the simulator than scenarios do',
  },
  {
    who: /^scenarios\//,
    may: /^(scenarios\/|certs\/(?!make\.ts$)|node:|(cborg|coap-packet|fastest-levenshtein|jsonc-parser|mqtt|undici|ws|yaml|zod)$)/,
    types: /^commander$/,
    because: 'a mistake of the simulator must not excuse itself',
  },
  {
    who: /^reports\/.*(\.(test|spec)\.tsx?|\/testing\/[^/]+)$/,
    may: /^(reports\/|sim\/(index|command-line\/flag)\.ts$|scenarios\/(index|results|words)\.ts$)|^(?!(sim|scenarios)\/)/,
    because: 'tests may use the doors',
  },
  {
    who: /^reports\/commands\/container-target\.ts$/,
    may: /^reports\/|^scenarios\/words\.ts$|^sim\/containers\/starting\.ts$|^(testcontainers|undici)$/,
    because: 'a container starts the same way, whatever CSE is in it',
  },
  {
    who: /^reports\/commands\/mcp\.ts$/,
    may: /^reports\/|^scenarios\/words\.ts$|^sim\/(command-line\/flag|topology\/pair)\.ts$|^(node:|zod$)/,
    because: 'agents start a pair as users start one with up, and everything else by its command',
  },
  {
    who: /^reports\/(commands|explore|merge|package|plan|profile|ui)\//,
    may: new RegExp(
      `^(reports\\/|sim\\/(command-line\\/flag|web\\/page-server|web\\/page\\/[a-z]+)\\.ts$|sim\\/web\\/parts\\.tsx$|scenarios\\/(results|words)\\.ts$)|${harness.source}|^(?!(sim|scenarios|fixtures|certs)\\/)(?!cli\\.ts)`,
    ),
    types: /^scenarios\/index\.ts$/,
    because: 'commands run what the harness offers; its door is for others',
  },
  {
    who: /^reports\//,
    may: /^(reports\/|sim\/(command-line\/flag\.ts|web\/parts\.tsx)$|scenarios\/(results|words)\.ts$)|^(?!(sim|scenarios|fixtures|certs)\/)(?!cli\.ts)/,
    types: /^scenarios\/index\.ts$/,
    because: 'reporters know events, results and what pages look like, and commands what a flag is',
  },
  {
    who: /^fixtures\/bench\//,
    may: new RegExp(
      `^(fixtures\\/|certs\\/(?!make\\.ts$)|sim\\/index\\.ts$)|${harness.source}|^(?!(sim|scenarios|reports|certs)\\/)`,
    ),
    types: /^scenarios\/index\.ts$/,
    because: 'what is measured is a part, not all that stands behind a door',
  },
  {
    who: /^fixtures\//,
    may: /^(fixtures\/|certs\/(?!make\.ts$)|sim\/(index|msw|playwright|testcontainers)\.ts$|scenarios\/(index|results|words)\.ts$)|^(?!(sim|scenarios|reports|certs)\/)/,
    because: 'fixtures use the doors',
  },
  {
    who: /^cli(\.test)?\.ts$/,
    may: /^((sim\/(up|spec)|certs)\/[a-z]+-command\.ts|reports\/commands\/[a-z]+\.ts|sim\/(index|command-line\/flag)\.ts|scenarios\/index\.ts|cli\.ts)$|^(?!(sim|scenarios|reports|fixtures|certs)\/)/,
    because: 'the command line assembles what the rooms offer',
  },
];

function filesOf(path: string): string[] {
  const full = join(project, path);
  if (!existsSync(full)) return [];
  if (/\.(ts|tsx|mts)$/.test(path)) return [path];
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => entry.name !== 'latest' && (entry.isDirectory() || /\.(ts|tsx|mts)$/.test(entry.name)))
    .flatMap((entry) => filesOf(`${path}/${entry.name}`));
}

function forbidden(all: readonly Import[]): string[] {
  return all.flatMap(({ from, to, typeOnly }) => {
    const rule = rules.find(({ who }) => who.test(from));
    if (rule === undefined) return [`${from}: no rule says what it may import`];
    const allowed = rule.may.test(to) || (typeOnly && (rule.types?.test(to) || to.startsWith('node:')));
    return allowed ? [] : [`${from} imports ${to}: ${rule.because}`];
  });
}

/** A way from a file, or a folder, back to itself over imports of values. */
function cycle(all: readonly Import[]): string[] | undefined {
  const next = new Map<string, string[]>();
  for (const { from, to, typeOnly } of all) if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    done.add(file);
    for (const to of next.get(file) ?? []) {
      const found = visit(to, [...way, file]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const file of next.keys()) {
    const found = visit(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

const files = roots.flatMap(filesOf).map((file) => file.split(sep).join('/'));
const texts = new Map(files.map((file) => [file, readFileSync(join(project, file), 'utf8')]));
const imports = files.flatMap((file) => importsOf(file, texts.get(file) ?? ''));

test('imports are read as they are written', () => {
  const text = [
    "import { a } from './a.ts';",
    "import type { B } from '../b.ts';",
    "import { type C, type D } from 'c';",
    "export { e } from './e.ts';",
    "import './f.ts';",
    `const g = await ${'import'}('./g.ts');`,
    'import {\n  h,\n  type I,\n} from "./h.ts";',
  ].join('\n');
  assert.deepEqual(
    importsOf('sim/core/x.ts', text).map(({ to, typeOnly }) => [to, typeOnly]),
    [
      ['sim/core/a.ts', false],
      ['sim/b.ts', true],
      ['c', true],
      ['sim/core/e.ts', false],
      ['sim/core/f.ts', false],
      ['sim/core/g.ts', false],
      ['sim/core/h.ts', false],
    ],
  );
  assert(imports.length > 50);
});

test('the rules tell right from wrong', () => {
  const wrong: ReadonlyArray<readonly [from: string, to: string, typeOnly?: boolean]> = [
    ['sim/core/tree.ts', 'node:fs'],
    ['sim/core/tree.ts', 'sim/resources/ae.ts'],
    ['sim/core/tree.ts', 'sim/resources/ae.ts', true],
    ['sim/resources/ae.ts', 'sim/dialects/documented.ts'],
    ['sim/bindings/http.ts', 'scenarios/index.ts'],
    ['scenarios/engine/run.ts', 'sim/index.ts'],
    ['scenarios/engine/targets/embedded/pairs.ts', 'sim/core/operations/cse.ts'],
    ['scenarios/engine/targets/embedded/pairs.ts', 'sim/index.ts'],
    ['scenarios/probe/probe.ts', 'sim/deviations/index.ts', true],
    ['scenarios/index.ts', 'reports/formats/reporter.ts'],
    ['reports/formats/reporter.ts', 'scenarios/engine/results/result.ts', true],
    ['reports/formats/reporter.ts', 'scenarios/index.ts'],
    ['reports/formats/reporter.ts', 'scenarios/checking/check.ts'],
    ['reports/formats/reporter.ts', 'sim/index.ts'],
    ['cli.ts', 'scenarios/engine/run.ts'],
    ['scenarios/lint.ts', 'commander'],
    ['certs/pki.ts', 'sim/index.ts'],
    ['certs/pki.ts', 'yaml'],
    ['sim/disturbance/plan.ts', 'sim/topology/node.ts'],
    ['sim/topology/pair.ts', 'certs/make.ts'],
    ['scenarios/engine/run.ts', 'certs/make.ts'],
    ['fixtures/bench/bench.ts', 'certs/make.ts'],
    ['sim/core/tree.ts', 'certs/shipped.ts'],
    ['reports/formats/reporter.ts', 'certs/shipped.ts'],
    ['cli.ts', 'certs/pki.ts'],
    ['elsewhere/x.ts', 'yaml'],
  ];
  for (const [from, to, typeOnly = false] of wrong)
    assert.equal(forbidden([{ from, to, typeOnly }]).length, 1, `${from} ${to}`);
  const right: ReadonlyArray<readonly [from: string, to: string]> = [
    ['sim/core/tree.ts', 'sim/core/status.ts'],
    ['sim/resources/ae.ts', 'sim/core/resource-type.ts'],
    ['scenarios/engine/targets/embedded/pairs.ts', 'sim/topology/pair.ts'],
    ['scenarios/mutants/drawn.ts', 'sim/deviations/drawn/draw.ts'],
    ['scenarios/engine/architecture.test.ts', 'sim/index.ts'],
    ['reports/json/json-reporter.ts', 'scenarios/results.ts'],
    ['reports/commands/check.ts', 'scenarios/checking/check.ts'],
    ['sim/topology/pair.ts', 'certs/pki.ts'],
    ['scenarios/engine/messages/tls.ts', 'certs/shipped.ts'],
    ['certs/authority.ts', '@peculiar/x509'],
    ['cli.ts', 'commander'],
    ['cli.ts', 'reports/commands/check.ts'],
    ['cli.ts', 'certs/certs-command.ts'],
  ];
  for (const [from, to] of right) assert.deepEqual(forbidden([{ from, to, typeOnly: false }]), []);
});

test('imports point one way', () => {
  assert.deepEqual(forbidden(imports), []);
});

/** Packages that a user installs for one wire alone, and all that may load them at once. */
const optional: ReadonlyArray<readonly [packages: readonly string[], needing: readonly string[]]> = [
  [
    ['mqtt', 'aedes'],
    [
      'scenarios/engine/targets/wires/mqtt-connection.ts',
      'scenarios/engine/targets/wires/mqtt-route.ts',
      'scenarios/recording/hear-mqtt.ts',
      'scenarios/traffic/listen-mqtt.ts',
      'sim/bindings/mqtt/broker.ts',
      'sim/bindings/mqtt/endpoint.ts',
      'sim/bindings/mqtt/mqtt-sender.ts',
    ],
  ],
  [
    ['coap-packet'],
    [
      'scenarios/captures/coap-flights.ts',
      'scenarios/captures/coap-stream.ts',
      'scenarios/engine/messages/coap-facts.ts',
      'scenarios/engine/messages/coap-message.ts',
      'scenarios/engine/targets/wires/coap-endpoint.ts',
      'scenarios/engine/targets/wires/coap-inbox.ts',
      'scenarios/engine/targets/wires/coap-route.ts',
      'scenarios/recording/coap-proxy.ts',
      'sim/bindings/coap/coap-carriage.ts',
      'sim/bindings/coap/coap-exchange.ts',
      'sim/bindings/coap/coap-sender.ts',
      'sim/bindings/coap/coap-server.ts',
      'sim/bindings/coap/mapping.ts',
      'sim/bindings/coap/message.ts',
      'sim/bindings/coap/transfers.ts',
    ],
  ],
  [
    ['ws'],
    [
      'scenarios/engine/targets/wires/ws-route.ts',
      'scenarios/recording/ws-proxy.ts',
      'sim/bindings/ws/ws-endpoint.ts',
      'sim/bindings/ws/ws-server.ts',
    ],
  ],
];

for (const [packages, allowed] of optional)
  test(`${packages.join(' and ')} are optional: what needs them is loaded by who asks for it, and by nothing else`, () => {
    const needing = new Set(packages);
    // Who runs tests and benchmarks has all of them.
    const isAtOnce = ({ from, typeOnly, later }: Import) =>
      !typeOnly && !later && !aTest.test(from) && !from.startsWith('fixtures/bench/');
    // A set grows while it is gone through.
    for (const one of needing)
      for (const { from } of imports.filter((way) => way.to === one && isAtOnce(way))) needing.add(from);
    assert.deepEqual([...needing].filter((one) => texts.has(one)).toSorted(), allowed);
  });

test('no file leads back to itself', () => {
  const way = ['a', 'b', 'c'].map((from, at) => ({ from, to: ['b', 'c', 'a'][at] ?? '', typeOnly: false }));
  assert.deepEqual(cycle(way), ['a', 'b', 'c', 'a']);
  assert.equal(cycle(imports), undefined);
});

test('no way over imports of values is longer than 14 files, so that what is changed is near to who needs it', () => {
  const known = new Map<string, readonly string[]>();
  const longest = (file: string): readonly string[] =>
    getOrAdd(known, file, () => {
      const ways = imports
        .filter(({ from, to, typeOnly, later }) => from === file && texts.has(to) && !typeOnly && !later)
        .map(({ to }) => longest(to));
      return [file, ...(ways.toSorted((one, other) => other.length - one.length)[0] ?? [])];
    });
  const ways = files.filter((file) => !aTest.test(file)).map(longest);
  assert.deepEqual(
    ways.filter(({ length }) => length > 14),
    [],
  );
});

test('no folder leads back to itself, by types neither', () => {
  const isProduction = (file: string) => texts.has(file) && !aTest.test(file);
  const folders = (all: readonly Import[]): Import[] =>
    all
      .map(({ from, to }) => ({ from: dirname(from), to: dirname(to), typeOnly: false }))
      .filter(({ from, to }) => from !== to);
  const way = [
    { from: 'a/x.ts', to: 'a/b/y.ts', typeOnly: false },
    { from: 'a/b/z.ts', to: 'a/w.ts', typeOnly: true },
  ];
  assert.deepEqual(cycle(folders(way)), ['a', 'a/b', 'a']);
  assert.equal(cycle(folders(imports.filter(({ from, to }) => isProduction(from) && isProduction(to)))), undefined);
});

test('the command line loads neither the harness nor the simulator before a command that needs them is named', () => {
  const isDefinition = (path: string) => /^export (?:const|function) define\b/m.test(texts.get(path) ?? '');
  // These put off everything, so that a version is told at once; a definition, until its command is named.
  const patient = ['cli.ts', 'reports/commands/main.ts'];
  const isLoaded = ({ from, to, typeOnly, later }: Import) =>
    !typeOnly && (!later || (patient.includes(from) && !isDefinition(to)));
  const loadedBy = (...first: readonly string[]) => {
    const loaded = new Set(first);
    for (const file of loaded) {
      for (const one of imports) if (one.from === file && isLoaded(one)) loaded.add(one.to);
    }
    return loaded;
  };
  const heavy = ['scenarios/checking/check.ts', 'sim/core/operations/cse.ts', 'zod', 'yaml', 'undici'];
  const [list, ofSimulator] = [loadedBy('cli.ts'), loadedBy('sim/up/up-command.ts', 'certs/certs-command.ts')];
  for (const one of ['sim/command-line/flag.ts', 'commander']) assert.equal(list.has(one), true, one);
  assert.equal(loadedBy('reports/commands/check.ts').has('scenarios/checking/check.ts'), true);
  assert.deepEqual(
    heavy.filter((one) => list.has(one) || ofSimulator.has(one)),
    [],
  );
});

test('the version is told before anything else is loaded', () => {
  const atOnce = imports.filter(({ from, typeOnly, later }) => from === 'cli.ts' && !typeOnly && !later);
  assert.deepEqual(
    atOnce.map(({ to }) => to),
    ['node:fs'],
  );
});

test('relative imports carry the ending of a file that exists', () => {
  const local = imports.filter(({ to }) => !aModule.test(to));
  assert.deepEqual(
    local.filter(({ to }) => !existsSync(join(project, to))).map(({ from, to }) => `${from}: ${to}`),
    [],
  );
});

test('there are no other doors, and no room for what has no name', () => {
  const barrels = files.filter((file) => {
    const lines = (texts.get(file) ?? '')
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      .split(/;\s*\n/)
      .filter((line) => line.trim() !== '');
    return lines.length > 1 && lines.every((line) => /^\s*export\s+(type\s+)?(\*|\{)[\s\S]*\bfrom\b/.test(line));
  });
  assert.deepEqual(
    barrels.filter((file) => !doors.includes(file)),
    [],
  );
  const nameless = files
    .map((file) => dirname(file))
    .filter((folder) => /(^|\/)(utils?|helpers?|common|shared|misc)$/.test(folder));
  assert.deepEqual([...new Set(nameless)], []);
});

test('files for tests are imported by tests only', () => {
  const support = imports.filter(({ to }) => aTest.test(to));
  assert.deepEqual(
    support.filter(({ from }) => !aTest.test(from)),
    [],
  );
});

test('the project is where this file takes it to be', () => {
  assert.equal(
    relative(project, fileURLToPath(import.meta.url))
      .split(sep)
      .join('/'),
    'scenarios/engine/architecture.test.ts',
  );
});

/** `cselab profile`: makes a product profile for `cselab up --as` from the report of a live run. */

import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Document, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { productOf, productPath } from '../../scenarios/engine/targets/embedded/simulated-products.ts';
import type { Fitted, ReadTarget, RunResult, TargetChoice } from '../../scenarios/index.ts';
import { profile, typesDenied } from '../../scenarios/profile/profile.ts';
import { readTargetFile, shippedFor, targetFilePath } from '../../scenarios/results.ts';
import { lastOf, UsageError } from '../../scenarios/words.ts';
import { command, toggle, valued } from '../../sim/command-line/flag.ts';
import { counted } from '../facts/wording.ts';
import { readReport } from '../formats/read-report.ts';
import { say, writeWhole } from '../writing/output-file.ts';

const flags = {
  '': {
    target: valued(
      '<file>',
      'target file of that run, or the name of a product that cselab knows (default: by the report)',
    ),
    out: valued('<file>', 'where to write it; - is stdout (default: <product>.yaml)'),
    force: toggle('replace its deviations if the file exists'),
  },
};

const examples = `
It takes from the report which requirements the product violates, chooses for each of them a deviation of the simulator that violates
it too, runs every scenario against them all together, and leaves out or replaces what stands in the way of others or breaks what the product
keeps. Names, dialect and access control are taken from the report and the target file, resource types that it has not from its
conformance statement. Of a file that is there, or that is shipped for the product, everything else is kept.
Exit codes: 0 written, 2 usage.

Examples:
  cselab check --target acme --url http://127.0.0.1:8080 --report json=acme.json
  cselab profile acme.json --out my-acme.yaml     some minutes: it is tried
  cselab up --as my-acme.yaml                     a CSE that differs as that one does`;

export const define = command({
  help: 'write a product file for cselab up --as: the deviations that a report shows, and how faithful they are',
  args: [['<report>', 'what cselab check --report json wrote']],
  flags,
  examples,
  async run(path, { target: file, out: output, force }) {
    const report = readReport(path);
    const name = report.target.product?.toLowerCase().replace(/\W+/g, '-') ?? 'product';
    const out = output ?? `${name}.yaml`;
    if (out !== '-' && existsSync(out) && !force) {
      throw new UsageError(`${out} is there already; --force replaces the deviations in it`);
    }
    const target = file === undefined ? shippedFor(report.target.product) : readTargetFile(targetFilePath(file));
    const text = ProductText.from(existsSync(out) ? out : productPath(name) !== name ? name : undefined);
    text.setFacts(report, target?.choice ?? {});
    const fitted = await fitProfile(report, text, { name: out === '-' ? name : basename(out, '.yaml'), target });
    text.setDeviations(fitted, report);
    await writeWhole(out, text.text);
    const rest = fitted.notImitated.length === 0 ? '' : `; not ${fitted.notImitated.join(', ')}`;
    say(`${out === '-' ? name : out}: ${resultOf(fitted)}${rest}`);
  },
});

async function fitProfile(
  report: RunResult,
  text: ProductText,
  { name, target }: { readonly name: string; readonly target: ReadTarget | undefined },
): Promise<Fitted> {
  const cseTarget = target?.choice ?? report.target;
  let trial = 0;
  return lastOf(profile(report, { product: productOf(text.value, name), target: cseTarget }), (fitted) => {
    trial += 1;
    say(`trial ${trial}: ${resultOf(fitted)}`);
  });
}

function resultOf({ deviations, notImitated, beyond }: Fitted): string {
  const all = deviations.size + notImitated.length;
  const share = all === 0 ? '' : ` (${Math.floor((100 * deviations.size) / all)} %)`;
  return `${deviations.size} of ${counted(all, 'violated requirement')} in common${share}, ${beyond.length} beyond`;
}

const empty = 'imitates:\nsettings:\ndeviations:\n';

type ReachedTarget = Partial<Extract<TargetChoice, { kind: 'url' }>>;

export class ProductText {
  readonly #document: Document;

  private constructor(document: Document) {
    this.#document = document;
  }

  /** Starts from that file, or that of the shipped product of this name; undefined: from nothing. */
  static from(source: string | undefined): ProductText {
    const text = source === undefined ? empty : readFileSync(productPath(source), 'utf8');
    const document = parseDocument(text);
    if (source === undefined) document.set('settings', document.createNode({}));
    document.setIn(['deviations'], document.createNode({}));
    for (const key of ['not imitated', 'beyond']) document.delete(key);
    return new ProductText(document);
  }

  get value(): unknown {
    return this.#document.toJS();
  }

  get text(): string {
    return this.#document.toString({ lineWidth: 140, flowCollectionPadding: true });
  }

  /** Facts of a report and a target file about the product. */
  setFacts({ target, dialect, ics = [] }: RunResult, { release, admin, accessControl }: ReachedTarget): void {
    const denied = typesDenied(ics);
    this.#set(['imitates'], target.product ?? 'an unknown product');
    this.#set(['version'], target.version);
    this.#set(['release'], release);
    const settings = {
      ...{ dialect, base: target.base, admin, 'cse id': target.cseId, 'sp id': target.spId },
      'access control': accessControl,
      'without types': denied.length === 0 ? undefined : denied,
    };
    for (const [name, value] of Object.entries(settings)) this.#set(['settings', name], value);
  }

  setDeviations({ deviations, notImitated, beyond }: Fitted, { startedAt, tool }: RunResult): void {
    const all = deviations.size + notImitated.length;
    const heading = ` Made by cselab profile from the report of a live run on ${startedAt.slice(0, 10)}, cselab ${tool.version}:`;
    const { items } = this.#document.contents as YAMLMap<Scalar, unknown>;
    const at = items.findIndex(({ key }) => key.value === 'deviations');
    const pair = items[at];
    if (pair === undefined) throw new TypeError('a product file has deviations');
    pair.value = this.#document.createNode(Object.fromEntries(deviations));
    pair.key.commentBefore = `${heading}\n ${deviations.size} of ${all} violated requirements in common, ${beyond.length} beyond.`;
    const lists = Object.entries({ 'not imitated': notImitated, beyond }).filter(([, list]) => list.length > 0);
    items.splice(
      at + 1,
      0,
      ...lists.map(([name, list]) => this.#document.createPair(name, list) as (typeof items)[number]),
    );
  }

  #set(path: readonly string[], value: unknown): void {
    if (value === undefined) return;
    // In place of a text its comment stays.
    const isText = typeof value !== 'object';
    this.#document.setIn(path, isText ? value : this.#document.createNode(value, { flow: true }));
  }
}

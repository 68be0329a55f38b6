/** The text of a product file. Hand-written parts stay, comments included. */
import { readFileSync } from 'node:fs';
import { type Document, isMap, type Pair, parseDocument, type Scalar } from 'yaml';
import { productPath } from '../../scenarios/engine/targets/embedded/simulated-products.ts';
import type { Fitted, RunResult, TargetChoice } from '../../scenarios/index.ts';
import { typesDenied } from '../../scenarios/profile/profile.ts';

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
    const pair = this.#pairOf('deviations');
    if (pair === undefined) throw new TypeError('a product file has deviations');
    pair.value = this.#document.createNode(Object.fromEntries(deviations));
    pair.key.commentBefore = `${heading}\n ${deviations.size} of ${all} violated requirements in common, ${beyond.length} beyond.`;
    this.#insertAfter(pair, { 'not imitated': notImitated, beyond });
  }

  #set(path: readonly string[], value: unknown): void {
    // In place of a text its comment stays.
    if (value !== undefined) this.#document.setIn(path, typeof value === 'object' ? this.#flow(value) : value);
  }

  #flow(value: unknown): unknown {
    return this.#document.createNode(value, { flow: true });
  }

  #insertAfter(pair: Pair, lists: Readonly<Record<string, readonly string[]>>): void {
    const { contents } = this.#document;
    if (!isMap(contents)) return;
    const nonEmpty = Object.entries(lists).filter(([, list]) => list.length > 0);
    const pairs = nonEmpty.map(([name, list]) => this.#document.createPair(name, list));
    contents.items.splice(
      contents.items.indexOf(pair as (typeof contents.items)[number]) + 1,
      0,
      ...(pairs as typeof contents.items),
    );
  }

  #pairOf(name: string): Pair<Scalar> | undefined {
    const { contents } = this.#document;
    const pairs = isMap(contents) ? (contents.items as Pair<Scalar>[]) : [];
    return pairs.find(({ key }) => key.value === name);
  }
}

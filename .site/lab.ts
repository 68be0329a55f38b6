/** The worker of the playground: a CSE, and the harness that checks it. Nothing leaves the browser. */
import { writeFileSync } from 'node:fs';
import { verdictLine } from '../reports/facts/wording.ts';
import { type CheckOptions, check } from '../scenarios/checking/check.ts';
import { lastOf } from '../scenarios/engine/running/last-of.ts';
import { judgeTraffic } from '../scenarios/traffic/judge-traffic.ts';
import type { Dialect, RunResult } from '../scenarios/words.ts';
import { createFetch } from '../sim/bindings/fetch.ts';
import { type CseOptions, createCse, type InMemoryCse } from '../sim/cse/create-cse.ts';
import { writtenDeviations } from '../sim/deviations/index.ts';
import { imitating } from '../sim/products/product.ts';
import { productNames, readProduct } from '../sim/products/product-file.ts';
import { type Finding, findingsOf } from './findings.ts';

export interface Choice {
  readonly dialect: Dialect;
  /** Id of a deviation, or empty. */
  readonly deviation: string;
  /** Name of a product to imitate, or empty. */
  readonly product: string;
}

export interface TypedRequest {
  readonly method: string;
  readonly path: string;
  /** Lines of names and values. */
  readonly headers: string;
  readonly body: string;
}

const settings: Readonly<Record<Dialect, CseOptions>> = { documented: {}, onem2m: { dialect: 'onem2m' } };
let current: Choice = { dialect: 'documented', deviation: '', product: '' };
let cse: InMemoryCse;

async function optionsOf({ dialect, deviation, product }: Choice): Promise<CseOptions> {
  const options = product === '' ? settings[dialect] : imitating(await readProduct(product));
  return { ...options, ...(deviation !== '' && { deviations: [deviation, ...(options.deviations ?? [])] }) };
}

const abilities = {
  known: () => ({ deviations: writtenDeviations().map(({ id, says }) => ({ id, says })), products: productNames }),

  async start(choice: Choice) {
    const options = await optionsOf(choice);
    current = { ...choice, dialect: options.dialect ?? 'documented' };
    cse = createCse(options);
    return { base: cse.tree.base.path, dialect: current.dialect, tree: treeOf(cse) };
  },

  async send({ method, path, headers, body }: TypedRequest) {
    const lines = headers.split('\n').filter((line) => line.includes(':'));
    const headerPairs = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
    const request = new Request(new URL(path, 'http://cse'), {
      method,
      headers: headerPairs,
      ...(body !== '' && method !== 'GET' && { body }),
    });
    const answer = await createFetch(cse.http)(request);
    const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
    return { answer: [answer.status, ...head, '', pretty(await answer.text())].join('\n'), tree: treeOf(cse) };
  },

  /** All requests so far, by every rule. */
  async judge() {
    writeFileSync('/typed.ndjson', cse.requests.entries.map((entry) => JSON.stringify(entry)).join('\n'));
    const { base, cseId, spId } = cse.core.configuration;
    return summaryOf(
      await lastOf(
        judgeTraffic({ files: ['/typed.ndjson'], isAlone: true, dialect: current.dialect, base, cseId, spId }),
      ),
    );
  },

  /** The findings of a run with these ids at a CSE of its own. */
  async check(ids: readonly string[]) {
    const options = { target: await targetOf(current), dialect: current.dialect, ids };
    return summaryOf(await lastOf(check({ ...options, again: false })));
  },
};

async function targetOf(choice: Choice): Promise<CheckOptions['target']> {
  const { product, deviation } = choice;
  if (product === '') return { kind: 'in-process', ...(deviation !== '' && { deviations: [deviation] }) };
  const options = await optionsOf(choice);
  const fresh = createCse(options);
  const { base, cseId, spId } = fresh.core.configuration;
  const { admin } = options;
  const fetch = createFetch(fresh.http);
  const { release } = await readProduct(product);
  const names = {
    product,
    base,
    cseId,
    spId,
    ...(admin !== undefined && { admin }),
    ...(release !== undefined && { release }),
  };
  return { kind: 'fetch', url: 'http://in-process', fetch, ...names };
}

function summaryOf(result: RunResult): { headline: string; requests: number; findings: Finding[] } {
  return { headline: verdictLine(result), requests: result.summary.requests, findings: findingsOf(result) };
}

function treeOf({ tree }: InMemoryCse) {
  return [...tree].map(({ path, name, typeName: kind, attributes }) => ({
    path,
    name,
    kind,
    attributes: JSON.stringify(attributes, null, 2),
  }));
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export type Abilities = typeof abilities;

interface Port {
  onmessage: (event: {
    readonly data: { readonly number: number; readonly what: keyof Abilities; readonly given: never };
  }) => void;
  postMessage(message: object): void;
}
const port = globalThis as unknown as Port;

port.onmessage = async ({ data: { number, what, given } }) => {
  try {
    port.postMessage({ number, result: await abilities[what](given) });
  } catch (error) {
    port.postMessage({ number, problem: error instanceof Error ? error.message : String(error) });
  }
};

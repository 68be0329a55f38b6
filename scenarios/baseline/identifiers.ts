import { headersOf, isObject, jsonOf } from '../engine/judging/body.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { ScenarioResult } from '../engine/result.ts';

export interface Identifiers {
  /** Names that the harness made for this scenario: `cl-0hwuljd-28`. */
  readonly labels: readonly string[];
  /** What the target or the harness made up for resources, application entities and requests; the longest first. */
  readonly identifiers: readonly string[];
  /** Where requests went, such as `127.0.0.1:8000`. */
  readonly hosts: readonly string[];
}

/** Attributes whose values a CSE makes up: resourceID, parentID, AE-ID and the URI of a subscription. */
const madeUp = new Set(['ri', 'pi', 'aei', 'sur']);
const requestHeaders = ['x-m2m-ri', 'x-m2m-origin'] as const;

/** Reports that were merged are of several runs. */
export function runsOf(run: string): string[] {
  return run.split('+');
}

/** What of a scenario has another value in each run, as its exchanges show. */
export function identifiersOf({ steps }: ScenarioResult, run: string): Identifiers {
  const exchanges = steps.flatMap(({ exchange }) => exchange ?? []);
  const label = new RegExp(`cl-(?:${runsOf(run).join('|')})-\\d+`, 'g');
  const sent = exchanges.map(({ request }) => `${request.path}\n${request.body ?? ''}`);
  const labels = new Set(sent.flatMap((text) => text.match(label) ?? []));
  const identifiers = new Set(exchanges.flatMap(identifiersIn).filter((one) => !labels.has(one)));
  return {
    labels: longestFirst(labels),
    identifiers: longestFirst(identifiers),
    hosts: longestFirst(new Set(exchanges.flatMap(({ request }) => headersOf(request).get('host') ?? []))),
  };
}

function identifiersIn({ request, answer }: Exchange): string[] {
  const headers = headersOf(request);
  const sent = requestHeaders.flatMap((name) => headers.get(name) ?? []);
  const location = headersOf(answer).get('content-location')?.split('/') ?? [];
  const told = madeUpIn(jsonOf(answer?.body ?? ''));
  const segments = [...location, ...told.flatMap((one) => one.split('/'))];
  return [...told.filter((one) => /^[\w./-]{2,}$/.test(one)), ...[...sent, ...segments].filter(looksMadeUp)];
}

function madeUpIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(madeUpIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && madeUp.has(key) ? [inner] : madeUpIn(inner),
  );
}

/** Names that people give have words; what is made up has digits, or capitals within. */
function looksMadeUp(text: string): boolean {
  return text.length >= 2 && /^[\w./-]+$/.test(text) && /\d|[a-z][A-Z]/.test(text) && /[A-Za-z]|\d{5}/.test(text);
}

function longestFirst(texts: ReadonlySet<string>): string[] {
  return [...texts].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

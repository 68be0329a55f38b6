/**
 * Removes from the texts of a run whatever differs in each run, so that the same behaviour reads the same. Values that have a name in
 * scenario files are replaced by it: `create ae in /${base}`.
 */
import { headersOf, isObject, jsonOf } from '../engine/basics/body.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { ScenarioResult, TargetDescription } from '../engine/results/result.ts';

export interface RunFacts {
  readonly run: string;
  readonly target: Pick<TargetDescription, 'base' | 'cseId' | 'spId'>;
}

/** For one scenario of one run. */
export type Normalise = (text: string) => string;

type Replacement = readonly [pattern: RegExp, by: string | ((...found: string[]) => string)];

export function normaliserOf({ run, target: { base, cseId, spId } }: RunFacts, scenario: ScenarioResult): Normalise {
  const { labels, identifiers, hosts } = identifiersOf(scenario, run);
  const madeUp = identifiers.filter((one) => ![base, cseId, spId].includes(one));
  const replacements: Replacement[] = [
    [segment(base), '${base}'],
    [segment(cseId), '${cse}'],
    [segment(spId), '${sp}'],
    ...labels.flatMap((label): Replacement[] => [
      [word(label), '${name}'],
      [word(label.toUpperCase()), '${NAME}'],
    ]),
    ...runsOf(run).flatMap((one): Replacement[] => [
      [new RegExp(`\\bcl-${escaped(one)}-\\d+`, 'g'), '${other}'],
      [word(one), '${run}'],
    ]),
    ...hosts.map((host): Replacement => [word(host), '<host>']),
    // Digits alone are another deviation than an identifier with letters.
    ...madeUp.map((one): Replacement => [word(one), /^\d+$/.test(one) ? '<digits>' : '<identifier>']),
    ...byShape,
  ];
  // A function, so that the dollar of `${name}` is literal.
  const replace = (text: string, [pattern, by]: Replacement) =>
    text.replace(pattern, typeof by === 'string' ? () => by : by);
  return (text) => replacements.reduce(replace, text);
}

function word(text: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])${escaped(text)}(?![A-Za-z0-9])`, 'g');
}

function segment(name: string): RegExp {
  return new RegExp(`(?<=/)${escaped(name)}(?=[/?"\\s,;]|$)`, 'g');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Values recognised by their form. The form of a time stays: its fraction or zone can be the deviation. */
const byShape: readonly Replacement[] = [
  [/"(ri|pi|aei|val|sur)":"[^"]+"/g, (_, key = '') => `"${key}":"<identifier>"`],
  [/\b[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\b/g, '<date>'],
  [
    /\b\d{4}(-?)\d{2}\1\d{2}([T ])\d{2}(:?)\d{2}\3\d{2}([.,]\d+)?(Z|[+-]\d{2}:?\d{2})?(?![A-Za-z0-9])/g,
    (_, dash = '', between = '', colon = '', fraction = '', zone = '') => {
      const time = `YYYY${dash}MM${dash}DD${between}hh${colon}mm${colon}ss`;
      return `${time}${fractionShape(fraction)}${zone.replace(/\d\d/, 'hh').replace(/\d\d/, 'mm')}`;
    },
  ],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<identifier>'],
  [/\b(https?|mqtts?|coaps?|wss?):\/\/[^/\s"']+/g, (_, scheme = '') => `${scheme}://<host>`],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\blocalhost:\d+\b|\[[0-9a-f:]*::[0-9a-f:]*\](?::\d+)?/gi, '<host>'],
  [/\b\d+(?:\.\d+)? ?(ms|s|seconds|milliseconds|bytes|characters)\b/g, (_, unit = '') => `<n> ${unit}`],
  [/(?<![A-Za-z0-9<$])([A-Za-z]+)\d+(?![A-Za-z0-9])/g, (_, letters = '') => `${letters}<n>`],
  [
    /(?<![A-Za-z0-9])(?=[A-Za-z]*\d+[A-Za-z]+\d|\d*[A-Za-z]+\d+[A-Za-z])[A-Za-z0-9]{8,}(?![A-Za-z0-9])/g,
    '<identifier>',
  ],
  [/\b\d{5,}\b/g, '<n>'],
];

/** Some targets omit trailing zeros, so that only milli-, micro- and nanoseconds are distinguished. */
function fractionShape(fraction: string): string {
  const digits = fraction.length - 1;
  return digits < 1 ? '' : `${fraction.slice(0, 1)}${'f'.repeat(Math.min(Math.ceil(digits / 3), 3) * 3)}`;
}

interface Identifiers {
  /** Names that the harness generated for this scenario: `cl-0hwuljd-28`. */
  readonly labels: readonly string[];
  /** Identifiers that the target or the harness generated; the longest first. */
  readonly identifiers: readonly string[];
  /** Where requests went, such as `127.0.0.1:8000`. */
  readonly hosts: readonly string[];
}

/** Attributes with generated values: resourceID, parentID, AE-ID and the URI of a subscription. */
const madeUp = new Set(['ri', 'pi', 'aei', 'sur']);
const requestHeaders = ['x-m2m-ri', 'x-m2m-origin'] as const;

/** A merged report has several runs. */
function runsOf(run: string): string[] {
  return run.split('+');
}

/** Values that differ in each run, from the exchanges of a scenario. */
function identifiersOf({ steps }: ScenarioResult, run: string): Identifiers {
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
  const returned = madeUpIn(jsonOf(answer?.body ?? ''));
  const segments = [...location, ...returned.flatMap((one) => one.split('/'))];
  return [...returned.filter((one) => /^[\w.,/-]{2,}$/.test(one)), ...[...sent, ...segments].filter(looksMadeUp)];
}

function madeUpIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(madeUpIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && madeUp.has(key) ? [inner] : madeUpIn(inner),
  );
}

/** People's names are words; generated ones have digits, or capitals within. */
function looksMadeUp(text: string): boolean {
  return text.length >= 2 && /^[\w.,/-]+$/.test(text) && /\d|[a-z][A-Z]/.test(text) && /[A-Za-z]|\d{5}/.test(text);
}

function longestFirst(texts: ReadonlySet<string>): string[] {
  return [...texts].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** Bytes that break the law in the words of the scenario grammar. */
import type { Actor } from '../../engine/grammar/grammar.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { written } from '../../recording/literals.ts';
import type { CounterexampleScenario } from '../counterexample/scenario.ts';
import type { ExploredPlace, WireSite } from './place.ts';
import type { FoundBytes } from './wire-search.ts';

const sender = 'sender';
const name = written('name');
const application = `/${written('base')}/${name}-w`;

/** The application entity and the container, the bytes, and the check that fails. */
export function wireScenarioOf(
  found: FoundBytes,
  { site, explored, label }: { readonly site: WireSite; readonly explored: ExploredPlace; readonly label: string },
): CounterexampleScenario {
  const { dialect, originator: ofAll } = site.installation;
  const { base } = site.description;
  const literals: Literal[] = [
    [`/${base}/${label}-w`, application],
    [`C${label}`, `C${name}`],
    [label, name],
    [`Host: ${explored.place.host}`, `Host: ${written('host')}`],
  ];
  const bytes = bytePartsOf(found.one.bytes, literals);
  const acts = explored.originator !== undefined && ofAll === undefined;
  const as = acts ? { as: sender } : {};
  const rr = dialect === 'onem2m' ? true : 'TRUE';
  const { before = [], raw, after = [] } = judged(found.shown);
  const steps = [
    { create: 'ae', in: `/${written('base')}`, attributes: { rn: `${name}-w`, api: 'Nwire', rr }, ...as },
    { create: 'container', in: application, attributes: { rn: 'c' }, ...as },
    ...before.map((step) => ({ ...step, ...as })),
    { raw: { bytes }, expect: 'either', ...raw },
    ...after.map((step) => ({ ...step, ...as })),
  ];
  const actors: Record<string, Actor> = acts ? { [sender]: { registered: false, originator: `C${name}` } } : {};
  return { actors, steps: steps as unknown as Step[] };
}

interface Judged {
  /** Steps before the bytes and after them, and what their own step has beside them. */
  readonly before?: readonly object[];
  readonly raw?: object;
  readonly after?: readonly object[];
}

function judged({ breach, changed }: FoundBytes['shown']): Judged {
  const { kind, requirement } = breach;
  const checking = (check: Check) => ({ check: { [requirement]: check } });
  switch (kind) {
    case 'success':
      return { raw: checking({ status: { not: { between: [200, 299] } } }) };
    case 'failure':
    case 'no HTTP':
      return { raw: checking({ status: { not: 500 } }) };
    case 'silence':
      return { raw: checking({ 'one of': inTime }) };
    case 'gone':
      return unchanged(`${application}/c`, undefined, checking);
    case 'out of step':
    case 'split apart':
      throw new TypeError('a scenario sends one request over a connection, in one piece');
    case 'changed':
      return unchanged(`${application}${changed?.below ?? ''}`, changed?.attribute, checking);
  }
}

const inTime: NonNullable<Check['one of']> = [
  { status: { between: [100, 599] }, source: 'an answer within the limit' },
  { connection: 'closed', source: 'RFC 9112, 9.6: a connection that is closed' },
];

function unchanged(
  path: string,
  attribute: string | undefined,
  checking: (check: Check) => { readonly check: object },
): Judged {
  if (attribute === undefined) return { after: [{ retrieve: path, expect: 'either', ...checking({ status: 200 }) }] };
  return {
    before: [{ retrieve: path, capture: { before: attribute } }],
    after: [{ retrieve: path, ...checking({ attributes: { [attribute]: { 'same as': written('before') } } }) }],
  };
}

/** Bytes in the words of the scenario grammar. */
export type BytePart = string | { readonly repeat: string; readonly times: number } | { readonly hex: string };

/** What stands for something that differs from run to run, as text. */
export type Literal = readonly [text: string, written: string];

/** So many times in a row something is written once. */
const fewest = 16;
const repetition = new RegExp(`([\\s\\S]{1,8}?)\\1{${fewest - 1},}`, 'g');

/**
 * Bytes, given as Latin-1: text where it can be read, what is repeated once, everything else in hexadecimal. The literals stand
 * in it by their names; one text alone is no list.
 */
export function bytePartsOf(latin1: string, literals: readonly Literal[]): BytePart | readonly BytePart[] {
  const parts: BytePart[] = [];
  let at = 0;
  for (const { 0: whole, 1: once = '', index } of latin1.matchAll(repetition)) {
    if (!isText(once)) continue;
    parts.push(...plainParts(latin1.slice(at, index), literals), { repeat: once, times: whole.length / once.length });
    at = index + whole.length;
  }
  parts.push(...plainParts(latin1.slice(at), literals));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : parts;
}

function isText(text: string): boolean {
  return /^[\t\r\n\x20-\x7e]+$/.test(text);
}

/** A dollar sign before a brace would begin a name. */
function plainParts(latin1: string, literals: readonly Literal[]): BytePart[] {
  const pieces = latin1.match(/(?:(?!\$\{)[\t\r\n\x20-\x7e])+|(?:\$(?=\{)|[^\t\r\n\x20-\x7e])+/g) ?? [];
  return pieces.map((piece) => {
    if (!isText(piece) || piece === '$') return { hex: Buffer.from(piece, 'latin1').toString('hex') };
    return literals.reduce((text, [literal, written]) => text.replaceAll(literal, written), piece);
  });
}

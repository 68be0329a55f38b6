import type { Requirement } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Actor } from '../../engine/grammar/grammar.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { escaped } from '../../engine/messages/display.ts';
import type { Conversation } from '../../engine/messages/target.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { placeholder } from '../../recording/placeholders.ts';
import { confirm } from '../counterexample/confirm.ts';
import type { CounterexampleScenario } from '../counterexample/scenario.ts';
import { fileText } from '../counterexample/text.ts';
import type { WireCounterexample } from './wire-exploration.ts';
import type { FoundBytes, WireSearch, WireSearchOptions } from './wire-search.ts';

interface Context extends WireSearchOptions {
  readonly search: WireSearch;
  readonly label: string;
}

/** A counterexample with its file; it is tried once more. */
export async function describeFound(found: FoundBytes, context: Context): Promise<WireCounterexample> {
  const { one: wire, path, atFirst, attempts, smallest } = found;
  const { breach, exchange, conversation } = found.result;
  const { command } = context;
  const facts = {
    ...{ requirement: breach.requirement, says: breach.says, what: wire.what, command, path, attempts, smallest },
    bytes: escapedBytes(wire.bytes),
    length: { found: Math.max(atFirst.bytes.length, wire.bytes.length), left: wire.bytes.length },
    answer: conversation === undefined ? answerIn(exchange) : answersIn(conversation),
    curl: exchange.curl,
  };
  const requirement = context.requirements.get(breach.requirement);
  const about = { ...facts, seed: context.seed, dialect: context.session.installation.dialect };
  const kept = requirement === undefined ? undefined : await asScenario(found, requirement, about, context);
  if (kept !== undefined) return { ...facts, ...kept };
  const again = await context.search.again(wire);
  return { ...facts, confirmed: again?.kind === breach.kind, file: { kind: 'text', text: bytesText(about) } };
}

/** Whether it fails as a scenario too. */
async function asScenario(found: FoundBytes, requirement: Requirement, facts: FileFacts, context: Context) {
  const { session, nextNumber } = context;
  const use = async () => ({ installation: session.installation, number: nextNumber() });
  const { scenario, failed } = await confirm(wireScenarioOf(found, context), requirement.id, { ...context, use });
  const text = scenarioText(scenario, requirement, facts);
  return { confirmed: failed !== undefined, file: { kind: 'scenario', text } } as const;
}

/** Characters of an answer that are shown. */
const answerLimit = 300;

function answersIn({ answers, end }: Conversation): string {
  const lines = answers.map(({ status, body }) => `${status} ${body.slice(0, answerLimit)}`.trim());
  return escaped([...lines, `the connection is ${end}`].join('; then '));
}

function answerIn({ answer, failure }: Exchange): string {
  if (answer === undefined) return escaped(failure?.message ?? 'nothing');
  const body = answer.body.length > answerLimit ? `${answer.body.slice(0, answerLimit)}…` : answer.body;
  return escaped(`${answer.status} ${body}`.trim());
}

interface FileFacts extends Omit<WireCounterexample, 'file' | 'confirmed'> {
  readonly seed: number;
  readonly dialect: Dialect;
}

/** An ordinary scenario file, with everything else as a comment. */
export function scenarioText(scenario: CounterexampleScenario, requirement: Requirement, facts: FileFacts): string {
  const { dialect, what, says, answer, curl } = facts;
  const comment = [
    `Found by cselab explore. The same bytes again: ${commandOf(facts)}`,
    `Unusual: ${what}`,
    `Instead: ${says} The answer: ${answer}`,
    `By hand: ${curl}`,
    ...(requirement.level === 'gap' ? [gapNote] : []),
  ];
  const spoken = dialect === 'documented' ? scenario : { ...scenario, dialect };
  return fileText(spoken, requirement, comment.map(escaped), true);
}

const gapNote = 'The specification leaves this open: cselab check reports what the target does, without blame.';

/** If there is no requirement that a scenario could check. */
function bytesText(facts: FileFacts): string {
  const { what, says, answer, bytes, curl } = facts;
  return [
    `Found by cselab explore. The same bytes again: ${commandOf(facts)}`,
    '',
    `Unusual: ${what}`,
    `Wrong:   ${says}`,
    `Answer:  ${answer}`,
    '',
    'Sent by:',
    curl,
    '',
    'The bytes, \\r and \\n for the ends of lines, \\x and two digits for unprintable ones:',
    bytes,
    '',
  ].join('\n');
}

function commandOf({ command, seed, path }: FileFacts): string {
  return `${command} --seed ${seed} --path ${path}`;
}

const short = new Map(Object.entries({ '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' }));

/** Bytes, given as Latin-1, as a line of ASCII: others are written like `\r`, `\n` or `\xff`. */
export function escapedBytes(latin1: string): string {
  const hex = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return latin1.replace(/[^\x20-\x5b\x5d-\x7e]/g, (byte) => short.get(byte) ?? hex(byte));
}

const sender = 'sender';
const name = placeholder('name');
const application = `/${placeholder('base')}/${name}-w`;

/** The application entity and the container, the bytes, and the check that fails. */
function wireScenarioOf(found: FoundBytes, { session, fixture, label }: Context): CounterexampleScenario {
  const { dialect, originator: ofAll } = session.installation;
  const { base } = session.description;
  const literals: Literal[] = [
    [`/${base}/${label}-w`, application],
    [`C${label}`, `C${name}`],
    [label, name],
    [`Host: ${fixture.paths.host}`, `Host: ${placeholder('host')}`],
  ];
  const bytes = bytePartsOf(found.one.bytes, literals);
  const acts = fixture.originator !== undefined && ofAll === undefined;
  const as = acts ? { as: sender } : {};
  const rr = dialect === 'onem2m' ? true : 'TRUE';
  const { before = [], raw, after = [] } = checkStepsOf(found.result);
  const steps = [
    { create: 'ae', in: `/${placeholder('base')}`, attributes: { rn: `${name}-w`, api: 'Nwire', rr }, ...as },
    { create: 'container', in: application, attributes: { rn: 'c' }, ...as },
    ...before.map((step) => ({ ...step, ...as })),
    { raw: { bytes }, expect: 'either', ...raw },
    ...after.map((step) => ({ ...step, ...as })),
  ];
  const actors: Record<string, Actor> = acts ? { [sender]: { registered: false, originator: `C${name}` } } : {};
  return { actors, steps: steps as unknown as Step[] };
}

interface CheckSteps {
  /** Steps before and after the bytes, and further fields of their own step. */
  readonly before?: readonly object[];
  readonly raw?: object;
  readonly after?: readonly object[];
}

function checkStepsOf({ breach, changed }: FoundBytes['result']): CheckSteps {
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
      return { after: [{ retrieve: `${application}/c`, expect: 'either', ...checking({ status: 200 }) }] };
    case 'out of step':
    case 'split apart':
      throw new TypeError('a scenario sends one request over a connection, in one piece');
    case 'changed': {
      const { below = '', attribute } = changed ?? {};
      const retrieve = application + below;
      if (attribute === undefined) return { after: [{ retrieve, expect: 'either', ...checking({ status: 200 }) }] };
      const isSame = checking({ attributes: { [attribute]: { 'same as': placeholder('before') } } });
      return { before: [{ retrieve, capture: { before: attribute } }], after: [{ retrieve, ...isSame }] };
    }
  }
}

const inTime: NonNullable<Check['one of']> = [
  { status: { between: [100, 599] }, source: 'an answer within the limit' },
  { connection: 'closed', source: 'RFC 9112, 9.6: a connection that is closed' },
];

/** Bytes in the scenario grammar. */
export type BytePart = string | { readonly repeat: string; readonly times: number } | { readonly hex: string };

/** A text that differs from run to run, and what is written instead. */
export type Literal = readonly [text: string, written: string];

/** Repeats from which on a text is written once. */
const fewest = 16;
const repetition = new RegExp(`([\\s\\S]{1,8}?)\\1{${fewest - 1},}`, 'g');

/**
 * Bytes, given as Latin-1: readable parts as text, repeated ones once, everything else in hexadecimal. Literals are replaced by their
 * names; one text alone is no list.
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

/** Parses and checks rules written by people, as data or as a line of text. */
import { z } from 'zod';
import { defects } from '../../certs/refused.ts';
import { isDuration } from '../environment/clock.ts';
import { type DisturbanceRule, DisturbanceRuleError, type EffectName } from './rule.ts';

const expectation = 'expected a time such as 200ms, 30s, 5m or 1h';

const Time = z.union([z.number(), z.string()], { error: expectation }).refine(isDuration, { error: expectation });
const Offset = z
  .union([z.number(), z.string()], { error: expectation })
  .refine((value) => isDuration(typeof value === 'number' ? Math.abs(value) : value.replace(/^[-+]/, '')), {
    error: `${expectation}, with a minus sign for the past`,
  });
const Count = z.int({ error: 'expected a whole number from 1 on' }).min(1, 'expected a whole number from 1 on');
const Share = z.number({ error: 'expected 0 to 1' }).min(0, 'expected 0 to 1').max(1, 'expected 0 to 1');
const Rate = z
  .number({ error: 'expected bytes a second, more than 0' })
  .positive({ error: 'expected bytes a second, more than 0' });
const Bytes = z.int({ error: 'expected a number of bytes' }).min(0, 'expected a number of bytes');

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `expected ${words.join(' or ')}` });
}

const Lost = oneOf(['answer', 'request']).optional();
const OptionalTime = Time.optional();
const times = ['by', 'from', 'to', 'median', 'p99'];

const defectNames = Object.keys(defects) as [string, ...string[]];

/** The keys of each effect, in the order of messages. */
const effects = {
  latency: { by: OptionalTime, from: OptionalTime, to: OptionalTime, median: OptionalTime, p99: OptionalTime },
  throttle: { rate: Rate },
  drop: { lost: Lost },
  reset: { lost: Lost },
  empty: { answer: oneOf(['ok', 'nothing']).optional() },
  truncate: { bytes: Bytes.optional(), keep: Share.optional(), of: oneOf(['body', 'answer']).optional() },
  'malformed-chunks': {},
  duplicate: {},
  reorder: {},
  retain: {},
  dead: { how: oneOf(['refuses', 'silent']).optional() },
  certificate: { is: oneOf(defectNames).optional() },
  clock: { by: Offset },
} as const satisfies Readonly<Record<EffectName, z.ZodRawShape>>;

const effectNames = Object.keys(effects) as [EffectName, ...EffectName[]];
const wholeEffects: readonly EffectName[] = ['certificate', 'clock'];

const Match = z.strictObject({
  method: z
    .string()
    .regex(/^[A-Z]+$/, { error: 'expected a method such as GET' })
    .optional(),
  path: z.string().regex(/^[/*]/, { error: 'expected a path that begins with a slash' }).optional(),
  query: z.string().regex(/^\w+=/, { error: 'expected a parameter such as rcn=9' }).optional(),
  creates: z.string().regex(/^\w+:/, { error: 'expected a root such as m2m:cin' }).optional(),
  lacks: z.string().optional(),
  share: Share.optional(),
  after: Count.optional(),
  times: Count.optional(),
});

const matchKeys = Object.keys(Match.shape);

const Rule = z.strictObject({
  match: Match.optional(),
  do: z.looseObject({ effect: z.string() }),
  for: Time.optional(),
});

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Throws a DisturbanceRuleError. */
export function readRule(input: unknown): DisturbanceRule {
  if (typeof input !== 'string') {
    const problem = problemOf(input);
    if (problem === undefined) return input as DisturbanceRule;
    const where = problem.path.length === 0 ? '' : `${problem.path.join('.')}: `;
    throw new DisturbanceRuleError(`${where}${problem.message}, in ${JSON.stringify(input)}`);
  }
  const { rule, positionOf } = parseRuleText(input, effectNames);
  const problem = problemOf(rule);
  if (problem === undefined) return rule as unknown as DisturbanceRule;
  throw new DisturbanceRuleError(withMarker(input, positionOf(problem.path), problem.message));
}

function problemOf(input: unknown): Problem | undefined {
  const checked = Rule.safeParse(input);
  if (!checked.success) return problemIn(checked.error, []);
  const { effect, ...details } = checked.data.do;
  if (!isEffect(effect)) return { path: ['do', 'effect'], message: `expected ${listed(effectNames)}` };
  const form = z.strictObject(effects[effect]).safeParse(details);
  if (!form.success) return problemIn(form.error, ['do'], [...Object.keys(effects[effect]), ...conditionsOf(effect)]);
  const [condition] = Object.keys(checked.data.match ?? {});
  if (wholeEffects.includes(effect) && condition !== undefined) {
    return { path: ['match', condition], message: `${effect} affects the whole CSE and takes no ${condition}` };
  }
  return contradictionIn(effect, Object.keys(details));
}

const isEffect = (word: string): word is EffectName => Object.hasOwn(effects, word);
const conditionsOf = (effect: EffectName) =>
  wholeEffects.includes(effect) ? [] : matchKeys.filter((key) => key !== 'method' && key !== 'path');

function listed(words: readonly string[]): string {
  const [last = '', ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}

function problemIn({ issues }: z.ZodError, above: readonly PropertyKey[], known: readonly string[] = []): Problem {
  const [issue] = issues;
  if (issue === undefined) return { path: above, message: 'it is invalid' };
  const path = [...above, ...issue.path];
  if (issue.code !== 'unrecognized_keys') return { path, message: issue.message };
  const [key = ''] = issue.keys;
  return { path: [...path, key], message: `there is no ${key} here; there is ${listed([...known, 'for'])}` };
}

function contradictionIn(effect: EffectName, keys: readonly string[]): Problem | undefined {
  if (effect === 'truncate' && keys.includes('bytes') && keys.includes('keep')) {
    return { path: ['do', 'keep'], message: 'bytes and keep contradict each other' };
  }
  if (effect !== 'latency') return undefined;
  const keyList = times.filter((key) => keys.includes(key)).join(' ');
  return ['by', 'from to', 'median p99'].includes(keyList)
    ? undefined
    : { path: ['do', 'effect'], message: 'latency takes by=200ms, or from=100ms to=300ms, or median=50ms p99=2s' };
}

// Rules as a line of text: `EFFECT [METHOD] [PATH] [key=value…]`, for instance `drop POST /onem2m/* share=0.1`.

/** A position in the text, in characters. */
interface TextPosition {
  readonly at: number;
  readonly length: number;
}

interface Word extends TextPosition {
  readonly text: string;
}

/**
 * The rule as in JSON, not checked yet; and the position of each part, the whole text for parts that are not written.
 * Throws a DisturbanceRuleError for malformed text.
 */
function parseRuleText(text: string, effects: readonly string[]) {
  const [effect, ...others] = wordsOf(text);
  if (effect === undefined) throw new DisturbanceRuleError(`a rule begins with an effect: ${effects.join(', ')}`);
  const positions = new Map<string, TextPosition>([['do.effect', effect]]);
  const sections: Record<string, Record<string, unknown>> = { do: { effect: effect.text }, match: {}, rule: {} };
  for (const word of others) {
    const [key, value, position] = pairOf(word, text);
    const section = key === 'for' ? 'rule' : matchKeys.includes(key) ? 'match' : 'do';
    const path = section === 'rule' ? key : `${section}.${key}`;
    if (positions.has(path)) throw new DisturbanceRuleError(withMarker(text, word, `${key} is given twice`));
    positions.set(path, position);
    sections[section] = { ...sections[section], [key]: value };
  }
  const { match = {}, rule } = sections;
  return {
    rule: { ...rule, do: sections.do, ...(Object.keys(match).length > 0 && { match }) },
    positionOf: (path: readonly PropertyKey[]) => positions.get(path.join('.')) ?? { at: 0, length: text.length },
  };
}

/** The message, and the text with a marker below the position. */
function withMarker(text: string, { at, length }: TextPosition, message: string): string {
  return `${message}\n  ${text}\n  ${' '.repeat(at)}${'^'.repeat(Math.max(1, length))}`;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index: at }) => ({ text: word, at, length: word.length }));
}

function pairOf(word: Word, whole: string): [key: string, value: string | number, position: TextPosition] {
  const { text } = word;
  if (/^[/*]/.test(text)) return ['path', text, word];
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), parseValue(text.slice(equals + 1)), word];
  if (/^[A-Z]+$/.test(text)) return ['method', text, word];
  throw new DisturbanceRuleError(withMarker(whole, word, `"${text}" is neither METHOD nor /path nor key=value`));
}

/** A number; `10%` is 0.1; anything else is a text. */
function parseValue(text: string): string | number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (number === undefined) return text;
  return percent === '' ? Number(number) : Number(number) / 100;
}

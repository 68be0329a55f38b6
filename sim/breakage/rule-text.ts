/** Rules as a line of text: `EFFECT [METHOD] [PATH] [key=value…]`, for instance `drop POST /onem2m/* share=0.1`. */
import { BreakageRuleError } from './rule.ts';

/** Where in the text; both in characters. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

export interface RuleText {
  /** As it would stand in JSON; nothing in it is checked yet. */
  readonly rule: Readonly<Record<string, unknown>>;
  /** Where that part of the rule is written; the whole text where it is not. */
  placeOf(path: readonly PropertyKey[]): Place;
}

interface Word extends Place {
  readonly text: string;
}

const ofMatch = ['method', 'path', 'query', 'creates', 'lacks', 'share', 'after', 'times'];

/** Throws a BreakageRuleError for a text that is not made in this way. */
export function parseRuleText(text: string, effects: readonly string[]): RuleText {
  const [effect, ...others] = wordsOf(text);
  if (effect === undefined) throw new BreakageRuleError(`a rule begins with what goes wrong: ${effects.join(', ')}`);
  const places = new Map<string, Place>([['do.effect', effect]]);
  const sections: Record<string, Record<string, unknown>> = { do: { effect: effect.text }, match: {}, rule: {} };
  for (const word of others) {
    const [key, value, place] = pairOf(word, text);
    const section = key === 'for' ? 'rule' : ofMatch.includes(key) ? 'match' : 'do';
    const path = section === 'rule' ? key : `${section}.${key}`;
    if (places.has(path)) throw new BreakageRuleError(pointedAt(text, word, `${key} is said twice`));
    places.set(path, place);
    sections[section] = { ...sections[section], [key]: value };
  }
  const { match = {}, rule } = sections;
  return {
    rule: { ...rule, do: sections.do, ...(Object.keys(match).length > 0 && { match }) },
    placeOf: (path) => places.get(path.join('.')) ?? { at: 0, length: text.length },
  };
}

/** The text, and under it what is wrong at which place. */
export function pointedAt(text: string, { at, length }: Place, message: string): string {
  return `${message}\n  ${text}\n  ${' '.repeat(at)}${'^'.repeat(Math.max(1, length))}`;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index: at }) => ({ text: word, at, length: word.length }));
}

function pairOf(word: Word, whole: string): [key: string, value: string | number, place: Place] {
  const { text } = word;
  if (/^[/*]/.test(text)) return ['path', text, word];
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), writtenAs(text.slice(equals + 1)), word];
  if (/^[A-Z]+$/.test(text)) return ['method', text, word];
  throw new BreakageRuleError(pointedAt(whole, word, `"${text}" is no METHOD in capitals, no /path and no key=value`));
}

/** A number is one; `10%` is 0.1; anything else is a word. */
function writtenAs(text: string): string | number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (number === undefined) return text;
  return percent === '' ? Number(number) : Number(number) / 100;
}

import fc from 'fast-check';
import { creating, type Place, soundBody, utf8, type WireCase, wireCase, withLength } from './wire-case.ts';

interface Body {
  /** In bytes, as Latin-1. */
  readonly text: string;
  readonly what: string;
  readonly nature: 'malformed' | 'odd';
  readonly requirement?: string;
}

/** Bodies of a creation that are no JSON, nested deeply or of great length, and unusual values of attributes. */
export function jsonBodies(place: Place): fc.Arbitrary<WireCase> {
  const bodies = fc.oneof(cutOff, nested, long, anyAttribute);
  return bodies.map(({ text, ...facts }) => wireCase(withLength(creating(place, text)), facts));
}

const brokenJson = 'body.broken-json';

const cutOff: fc.Arbitrary<Body> = fc.integer({ min: 1, max: soundBody.length - 1 }).map((length) => ({
  text: soundBody.slice(0, length),
  what: 'JSON that breaks off',
  nature: 'malformed',
  requirement: brokenJson,
}));

/** A content instance whose content is written so. */
const content = (con: string, more = '') => `{"m2m:cin":{"con":${con},"cnf":"text/plain:0"${more}}}`;

const nested: fc.Arbitrary<Body> = fc
  .tuple(fc.constantFrom('[]', '{"a":}'), fc.integer({ min: 1, max: 20_000 }), fc.boolean())
  .map(([pair, depth, closed]) => {
    const opening = pair.slice(0, -1).repeat(depth);
    const value = `${opening}${pair === '[]' ? '' : '1'}${closed ? pair.slice(-1).repeat(depth) : ''}`;
    return {
      text: closed ? content(value) : `{"m2m:cin":{"con":${value}`,
      what: `nesting of ${depth} levels${closed ? '' : ' without an end'}`,
      nature: closed ? 'odd' : 'malformed',
      requirement: closed ? 'body.deep' : brokenJson,
    };
  });

/** How much of something a server takes is its own affair. */
const long: fc.Arbitrary<Body> = fc
  .tuple(
    fc.constantFrom<readonly [what: string, text: (length: number) => string, requirement?: string]>(
      ['a very long name', (length) => content('"a"', `,"rn":"${'x'.repeat(length)}"`), 'limits.name'],
      ['a number of many digits', (length) => content('9'.repeat(length))],
      ['a long content', (length) => content(`"${'x'.repeat(40 * length)}"`)],
    ),
    fc.integer({ min: 1000, max: 5000 }),
  )
  .map(([[what, text, requirement], length]) => ({
    text: text(length),
    what,
    nature: 'odd',
    ...(requirement !== undefined && { requirement }),
  }));

const attributes = ['con', 'cnf', 'rn', 'lbl', 'et', 'ty', 'ri', 'x'];

/** A value of any type where one attribute has it. */
const anyAttribute: fc.Arbitrary<Body> = fc
  .tuple(fc.constantFrom(...attributes), fc.jsonValue({ maxDepth: 3 }))
  .map(([name, value]) => ({
    text: utf8(JSON.stringify({ 'm2m:cin': { con: 'a', cnf: 'text/plain:0', [name]: value } })),
    what: `an unusual value of ${name}`,
    nature: 'odd',
  }));

import fc from 'fast-check';
import { creating, type Place, soundBody, utf8, type WireCase, wireCase, withLength } from './wire-case.ts';

interface Body {
  /** In bytes, as Latin-1. */
  readonly text: string;
  readonly what: string;
  readonly nature: 'malformed' | 'odd';
  readonly requirement?: string;
}

/** Bodies of a creation that are no JSON, JSON of another shape, and unusual JSON. */
export function jsonBodies(place: Place): fc.Arbitrary<WireCase> {
  const bodies = fc.oneof(cutOff, noJson, otherShapes, nested, oddAttributes, anyAttribute);
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

const noJson: fc.Arbitrary<Body> = fc
  .constantFrom<readonly [what: string, text: string, requirement?: string]>(
    ['a comma too many', content('"a",')],
    ['single quotes', "{'m2m:cin':{'con':'a'}}"],
    ['a key without quotes', '{m2m:{"con":"a"}}'],
    ['NaN', content('NaN')],
    ['Infinity', content('-Infinity')],
    ['undefined', content('undefined')],
    ['a comment', content('"a"/**/')],
    ['a line feed inside a text', content('"a\nb"')],
    ['a zero byte inside a text', content('"a\0b"')],
    ['an escape that JSON does not have', content('"\\x41"')],
    ['half an escape', content('"\\u00"')],
    ['a number with a leading zero', content('"a"', ',"x":01')],
    ['a number in hexadecimal', content('"a"', ',"x":0x1')],
    ['a text without an end', '{"m2m:cin":{"con":"a'],
    ['brackets in the wrong order', '{"m2m:cin":{"con":"a"]}'],
    ['two JSON values', soundBody + soundBody, 'body.trailing-text'],
    ['a text after the JSON', `${soundBody}x`, 'body.trailing-text'],
    ['UTF-16', [...soundBody].map((letter) => `${letter}\0`).join('')],
    ['a byte that is not UTF-8', content('"\xff"'), 'body.not-utf-8'],
    ['an overlong form of UTF-8', content('"\xc0\xaf"'), 'body.not-utf-8'],
    ['a surrogate in UTF-8', content('"\xed\xa0\x80"'), 'body.not-utf-8'],
    ['UTF-8 that breaks off', content('"\xe2\x82"'), 'body.not-utf-8'],
  )
  .map(([what, text, requirement = brokenJson]) => ({ text, what, nature: 'malformed', requirement }));

const otherShapes: fc.Arbitrary<Body> = fc
  .constantFrom<readonly [text: string, requirement: string]>(
    ['[]', 'body.list'],
    [`[${soundBody}]`, 'body.list'],
    ['null', 'body.null'],
    ['true', 'body.broken-json'],
    ['1', 'body.broken-json'],
    ['"a"', 'body.broken-json'],
    ['{}', 'body.no-root'],
    ['{"":{}}', 'body.unknown-root'],
    ['{"con":"a"}', 'body.bare-attributes'],
    ['{"m2m:x":{"con":"a"}}', 'body.unknown-root'],
    ['{"__proto__":{"con":"a"}}', 'body.unknown-root'],
    ['{"constructor":{"con":"a"}}', 'body.unknown-root'],
    ['{"toString":{"con":"a"}}', 'body.unknown-root'],
    ['{"m2m:cin":null}', 'body.root-value'],
    ['{"m2m:cin":[]}', 'body.root-value'],
    ['{"m2m:cin":"a"}', 'body.root-value'],
    ['{"m2m:cin":1}', 'body.root-value'],
  )
  .map(([text, requirement]) => ({ text, what: 'JSON of another shape', nature: 'malformed', requirement }));

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

/** What a CSE may refuse, or take in a way of its own. */
const oddAttributes: fc.Arbitrary<Body> = fc
  .constantFrom<readonly [what: string, text: string, requirement?: string]>(
    ['a key twice', content('"a"', ',"con":"b"'), 'body.duplicate-keys'],
    ['a root twice', '{"m2m:cin":{"con":"a"},"m2m:cin":{"con":"b"}}', 'body.duplicate-keys'],
    ['two roots', '{"m2m:cin":{"con":"a"},"m2m:cnt":{}}', 'body.two-roots'],
    ['__proto__ as an attribute', content('"a"', ',"__proto__":{"ty":5}'), 'body.prototype-names'],
    ['constructor as an attribute', content('"a"', ',"constructor":{"prototype":{"ty":5}}'), 'body.prototype-names'],
    ['a number without measure', content('1e999')],
    ['a number of many digits', content('9'.repeat(5000))],
    ['a number of many digits as a size', content('"a"', `,"cs":${'9'.repeat(400)}`)],
    ['half a pair of surrogates', content('"\\ud800"')],
    ['the halves of a pair in the wrong order', content('"\\udc00\\ud800"')],
    ['a zero character', content('"\\u0000"')],
    ['a byte order mark', `\xef\xbb\xbf${soundBody}`, 'body.byte-order-mark'],
    ['white space around the JSON', `\r\n\t ${soundBody} \r\n`],
    ['a name of white space', content('"a"', ',"rn":" "')],
    ['a name with a slash', content('"a"', ',"rn":"a/b"')],
    ['a name of two dots', content('"a"', ',"rn":".."')],
    ['a very long name', content('"a"', `,"rn":"${'x'.repeat(3000)}"`), 'limits.name'],
    ['a long content', content(`"${'x'.repeat(200_000)}"`)],
  )
  .map(([what, text, requirement]) => ({
    text,
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

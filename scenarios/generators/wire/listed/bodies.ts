import { soundBody } from '../wire-case.ts';
import { section } from './robustness-case.ts';
import { posted } from './sent.ts';

const json = 'RFC 8259, 2; TS-0004, 8.4.2; TS-0009, 6.3.2';
const utf8 = 'RFC 8259, 8.1; TS-0004, 8.4.2';
const shape = 'TS-0004, 8.4.2 and 7.3.2.1; TS-0009, 6.3.2';
const attribute = 'TS-0004, 7.4.7 and 8.4.2';
/** A content instance whose content is written so, with more attributes. */
const content = (con: string, more = '') => posted(`{"m2m:cin":{"con":${con},"cnf":"text/plain:0"${more}}}`);
/** It is no content instance, however it is read. */
const none = '400 | 4xx 501';
/** It is no JSON; a reader may know more than JSON (RFC 8259, clause 9). */
const lenient = '400 | 4xx 501 201';
const broken = [none, 'body.broken-json'] as const;
const brokenMostly = [lenient, 'body.broken-json'] as const;
const notUtf8 = [lenient, 'body.not-utf-8'] as const;
const taken = '201';
const either = '201 4xx 501';
const nested = (pair: '[]' | '{}', depth: number, closed = true) => {
  const [open, end] = pair === '[]' ? ['[', ']'] : ['{"a":', '}'];
  return content(`${open.repeat(depth)}${pair === '[]' ? '' : '1'}${closed ? end.repeat(depth) : ''}`);
};

export const bodies = section(8, 'Content: JSON and UTF-8', [
  ['JSON that breaks off', posted(soundBody.slice(0, -9)), json, broken],
  ['a brace alone', posted('{'), json, broken],
  ['a text without an end', posted('{"m2m:cin":{"con":"a'), json, broken],
  ['brackets in the wrong order', posted('{"m2m:cin":{"con":"a"]}'), json, broken],
  ['a comma too many', content('"a",'), json, brokenMostly],
  ['single quotes', posted("{'m2m:cin':{'con':'a'}}"), json, brokenMostly],
  ['a key without quotes', posted('{m2m:{"con":"a"}}'), json, brokenMostly],
  ['a comment', content('"a"/**/'), json, brokenMostly],
  ['NaN', content('NaN'), json, brokenMostly],
  ['Infinity', content('-Infinity'), json, brokenMostly],
  ['undefined', content('undefined'), json, brokenMostly],
  ['a line feed inside a text', content('"a\nb"'), 'RFC 8259, 7; TS-0009, 6.3.2', brokenMostly],
  ['a zero byte inside a text', content('"a\0b"'), 'RFC 8259, 7; TS-0009, 6.3.2', brokenMostly],
  ['an escape that JSON does not have', content('"\\x41"'), 'RFC 8259, 7; TS-0009, 6.3.2', brokenMostly],
  ['half an escape', content('"\\u00"'), 'RFC 8259, 7; TS-0009, 6.3.2', brokenMostly],
  ['a number with a zero before it', content('"a"', ',"cs":01'), 'RFC 8259, 6; TS-0009, 6.3.2', brokenMostly],
  ['two JSON values', posted(soundBody + soundBody), json, [none, 'body.trailing-text']],
  ['a text behind the JSON', posted(`${soundBody}x`), json, [none, 'body.trailing-text']],
  ['a zero byte behind the JSON', posted(`${soundBody}\0`), json, brokenMostly],
  ['UTF-16', posted([...soundBody].map((letter) => `${letter}\0`).join('')), utf8, brokenMostly],
  ['a byte that is not UTF-8', content('"\xff"'), utf8, notUtf8],
  ['an overlong form of UTF-8', content('"\xc0\xaf"'), utf8, notUtf8],
  ['a surrogate in UTF-8', content('"\xed\xa0\x80"'), utf8, notUtf8],
  ['UTF-8 that breaks off', content('"\xe2\x82"'), utf8, notUtf8],
  ['a byte order mark', posted(`\xef\xbb\xbf${soundBody}`), 'RFC 8259, 8.1', either],
  ['white space around the JSON', posted(`\r\n\t ${soundBody} \r\n`), 'RFC 8259, 2', taken],
  ['letters of two, three and four bytes', content('"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"'), utf8, taken],
  ['escapes for them', content('"\\u00e9\\u20ac\\ud83d\\ude00"'), 'RFC 8259, 7', taken],
  ['half a pair of surrogates', content('"\\ud800"'), 'RFC 8259, 8.2', either],
  ['an escaped zero character', content('"\\u0000"'), 'RFC 8259, 7; TS-0004, 8.4.2', either],
  ['a list', posted('[]'), shape, [none, 'body.list']],
  ['a list with a content instance', posted(`[${soundBody}]`), shape, [none, 'body.list']],
  ['null', posted('null'), shape, [none, 'body.null']],
  ['true', posted('true'), shape, broken],
  ['a number', posted('1'), shape, broken],
  ['a text', posted('"a"'), shape, broken],
  ['an empty object', posted('{}'), shape, [none, 'body.no-root']],
  ['an empty key', posted('{"":{}}'), shape, [none, 'body.unknown-root']],
  ['attributes without a root', posted('{"con":"a"}'), shape, [lenient, 'body.bare-attributes']],
  ['a root that nobody knows', posted('{"m2m:x":{"con":"a"}}'), shape, [none, 'body.unknown-root']],
  ['the root __proto__', posted('{"__proto__":{"con":"a"}}'), shape, [none, 'body.unknown-root']],
  ['the root constructor', posted('{"constructor":{"con":"a"}}'), shape, [none, 'body.unknown-root']],
  ['a root that is null', posted('{"m2m:cin":null}'), shape, [none, 'body.root-value']],
  ['a root that is a list', posted('{"m2m:cin":[]}'), shape, [none, 'body.root-value']],
  ['a root that is a text', posted('{"m2m:cin":"a"}'), shape, [none, 'body.root-value']],
  ['a root that is a number', posted('{"m2m:cin":1}'), shape, [none, 'body.root-value']],
  ['two roots', posted('{"m2m:cin":{"con":"a"},"m2m:cnt":{}}'), shape, lenient],
  ['a key twice', content('"a"', ',"con":"b"'), 'TS-0004, 8.4.2; RFC 8259, 4', lenient],
  ['a root twice', posted('{"m2m:cin":{"con":"a"},"m2m:cin":{"con":"b"}}'), 'TS-0004, 8.4.2; RFC 8259, 4', lenient],
  ['__proto__ as an attribute', content('"a"', ',"__proto__":{"ty":5}'), attribute, lenient],
  ['constructor as an attribute', content('"a"', ',"constructor":{"prototype":{"ty":5}}'), attribute, lenient],
  ['an attribute that nobody knows', content('"a"', ',"x":1'), attribute, lenient],
  ['an instance without con', posted('{"m2m:cin":{"cnf":"text/plain:0"}}'), attribute, lenient],
  ['a number as a name', content('"a"', ',"rn":1'), attribute, lenient],
  ['a name with a slash', content('"a"', ',"rn":"a/b"'), 'TS-0001, 7.2; TS-0004, 6.3.3', lenient],
  ['a name of two dots', content('"a"', ',"rn":".."'), 'RFC 3986, 3.3; TS-0001, 7.2', either],
  ['an empty name', content('"a"', ',"rn":""'), 'TS-0001, 7.2', either],
  ['labels that are no list', content('"a"', ',"lbl":{"a":1}'), attribute, lenient],
  ['a number beyond all measure', content('"a"', ',"et":1e999'), attribute, lenient],
  ['a number of 5,000 digits', content('"a"', `,"cs":${'9'.repeat(5000)}`), attribute, lenient],
  ['a time that does not exist', content('"a"', ',"et":"20991332T256199"'), attribute, lenient],
  ['lists in lists, 1,000 deep', nested('[]', 1000), 'RFC 8259, 9', either],
  ['lists in lists, 100,000 deep', nested('[]', 100_000), 'RFC 8259, 9', either],
  ['objects in objects, 20,000 deep', nested('{}', 20_000), 'RFC 8259, 9', either],
  ['lists in lists, 100,000 deep, without an end', nested('[]', 100_000, false), json, broken],
]);

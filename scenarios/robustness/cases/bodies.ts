import { creating, type Parts, type Place, soundBody, withLength } from '../../generators/wire/wire-case.ts';
import { type Expectation, type RobustnessSection, row } from '../robustness-case.ts';

const json = 'RFC 8259, 2; TS-0004, 8.4.2; TS-0009, 6.3.2';
const utf8 = 'RFC 8259, 8.1; TS-0004, 8.4.2';
const shape = 'TS-0004, 8.4.2 and 7.3.2.1; TS-0009, 6.3.2';
const attribute = 'TS-0004, 7.4.7 and 8.4.2';
const posted =
  (body: string) =>
  (at: Place): Parts =>
    withLength(creating(at, body));
/** A content instance whose content is written so, with more attributes. */
const content = (con: string, more = '') => posted(`{"m2m:cin":{"con":${con},"cnf":"text/plain:0"${more}}}`);
/** It is no content instance, however it is read. */
const none: Expectation = { right: [400], tolerable: ['4xx', 501] };
/** It is no JSON; a reader may know more than JSON (RFC 8259, clause 9). */
const lenient: Expectation = { right: [400], tolerable: ['4xx', 501, 201] };
const taken: Expectation = { right: [201] };
const either: Expectation = { right: [201, '4xx', 501] };
const nested = (pair: '[]' | '{}', depth: number, closed = true) => {
  const [open, end] = pair === '[]' ? ['[', ']'] : ['{"a":', '}'];
  return content(`${open.repeat(depth)}${pair === '[]' ? '' : '1'}${closed ? end.repeat(depth) : ''}`);
};

export const bodies: RobustnessSection = {
  number: 8,
  title: 'Content: JSON and UTF-8',
  cases: [
    row('8.1', 'JSON that breaks off', posted(soundBody.slice(0, -9)), json, none),
    row('8.2', 'a brace alone', posted('{'), json, none),
    row('8.3', 'a text without an end', posted('{"m2m:cin":{"con":"a'), json, none),
    row('8.4', 'brackets in the wrong order', posted('{"m2m:cin":{"con":"a"]}'), json, none),
    row('8.5', 'a comma too many', content('"a",'), json, lenient),
    row('8.6', 'single quotes', posted("{'m2m:cin':{'con':'a'}}"), json, lenient),
    row('8.7', 'a key without quotes', posted('{m2m:{"con":"a"}}'), json, lenient),
    row('8.8', 'a comment', content('"a"/**/'), json, lenient),
    row('8.9', 'NaN', content('NaN'), json, lenient),
    row('8.10', 'Infinity', content('-Infinity'), json, lenient),
    row('8.11', 'undefined', content('undefined'), json, lenient),
    row('8.12', 'a line feed inside a text', content('"a\nb"'), 'RFC 8259, 7; TS-0009, 6.3.2', lenient),
    row('8.13', 'a zero byte inside a text', content('"a\0b"'), 'RFC 8259, 7; TS-0009, 6.3.2', lenient),
    row('8.14', 'an escape that JSON does not have', content('"\\x41"'), 'RFC 8259, 7; TS-0009, 6.3.2', lenient),
    row('8.15', 'half an escape', content('"\\u00"'), 'RFC 8259, 7; TS-0009, 6.3.2', lenient),
    row('8.16', 'a number with a zero before it', content('"a"', ',"cs":01'), 'RFC 8259, 6; TS-0009, 6.3.2', lenient),
    row('8.17', 'two JSON values', posted(soundBody + soundBody), json, none),
    row('8.18', 'a text behind the JSON', posted(`${soundBody}x`), json, none),
    row('8.19', 'a zero byte behind the JSON', posted(`${soundBody}\0`), json, lenient),
    row('8.20', 'UTF-16', posted([...soundBody].map((letter) => `${letter}\0`).join('')), utf8, lenient),
    row('8.21', 'a byte that is not UTF-8', content('"\xff"'), utf8, lenient),
    row('8.22', 'an overlong form of UTF-8', content('"\xc0\xaf"'), utf8, lenient),
    row('8.23', 'a surrogate in UTF-8', content('"\xed\xa0\x80"'), utf8, lenient),
    row('8.24', 'UTF-8 that breaks off', content('"\xe2\x82"'), utf8, lenient),
    row('8.25', 'a byte order mark', posted(`\xef\xbb\xbf${soundBody}`), 'RFC 8259, 8.1', either),
    row('8.26', 'white space around the JSON', posted(`\r\n\t ${soundBody} \r\n`), 'RFC 8259, 2', taken),
    row('8.27', 'letters of two, three and four bytes', content('"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"'), utf8, taken),
    row('8.28', 'escapes for them', content('"\\u00e9\\u20ac\\ud83d\\ude00"'), 'RFC 8259, 7', taken),
    row('8.29', 'half a pair of surrogates', content('"\\ud800"'), 'RFC 8259, 8.2', either),
    row('8.30', 'an escaped zero character', content('"\\u0000"'), 'RFC 8259, 7; TS-0004, 8.4.2', either),
    row('8.31', 'a list', posted('[]'), shape, none),
    row('8.32', 'a list with a content instance', posted(`[${soundBody}]`), shape, none),
    row('8.33', 'null', posted('null'), shape, none),
    row('8.34', 'true', posted('true'), shape, none),
    row('8.35', 'a number', posted('1'), shape, none),
    row('8.36', 'a text', posted('"a"'), shape, none),
    row('8.37', 'an empty object', posted('{}'), shape, none),
    row('8.38', 'an empty key', posted('{"":{}}'), shape, none),
    row('8.39', 'attributes without a root', posted('{"con":"a"}'), shape, lenient),
    row('8.40', 'a root that nobody knows', posted('{"m2m:x":{"con":"a"}}'), shape, none),
    row('8.41', 'the root __proto__', posted('{"__proto__":{"con":"a"}}'), shape, none),
    row('8.42', 'the root constructor', posted('{"constructor":{"con":"a"}}'), shape, none),
    row('8.43', 'a root that is null', posted('{"m2m:cin":null}'), shape, none),
    row('8.44', 'a root that is a list', posted('{"m2m:cin":[]}'), shape, none),
    row('8.45', 'a root that is a text', posted('{"m2m:cin":"a"}'), shape, none),
    row('8.46', 'a root that is a number', posted('{"m2m:cin":1}'), shape, none),
    row('8.47', 'two roots', posted('{"m2m:cin":{"con":"a"},"m2m:cnt":{}}'), shape, lenient),
    row('8.48', 'a key twice', content('"a"', ',"con":"b"'), 'TS-0004, 8.4.2; RFC 8259, 4', lenient),
    row(
      '8.49',
      'a root twice',
      posted('{"m2m:cin":{"con":"a"},"m2m:cin":{"con":"b"}}'),
      'TS-0004, 8.4.2; RFC 8259, 4',
      lenient,
    ),
    row('8.50', '__proto__ as an attribute', content('"a"', ',"__proto__":{"ty":5}'), attribute, lenient),
    row(
      '8.51',
      'constructor as an attribute',
      content('"a"', ',"constructor":{"prototype":{"ty":5}}'),
      attribute,
      lenient,
    ),
    row('8.52', 'an attribute that nobody knows', content('"a"', ',"x":1'), attribute, lenient),
    row('8.53', 'an instance without con', posted('{"m2m:cin":{"cnf":"text/plain:0"}}'), attribute, lenient),
    row('8.54', 'a number as a name', content('"a"', ',"rn":1'), attribute, lenient),
    row('8.55', 'a name with a slash', content('"a"', ',"rn":"a/b"'), 'TS-0001, 7.2; TS-0004, 6.3.3', lenient),
    row('8.56', 'a name of two dots', content('"a"', ',"rn":".."'), 'RFC 3986, 3.3; TS-0001, 7.2', either),
    row('8.57', 'an empty name', content('"a"', ',"rn":""'), 'TS-0001, 7.2', either),
    row('8.58', 'labels that are no list', content('"a"', ',"lbl":{"a":1}'), attribute, lenient),
    row('8.59', 'a number beyond all measure', content('"a"', ',"et":1e999'), attribute, lenient),
    row('8.60', 'a number of 5,000 digits', content('"a"', `,"cs":${'9'.repeat(5000)}`), attribute, lenient),
    row('8.61', 'a time that does not exist', content('"a"', ',"et":"20991332T256199"'), attribute, lenient),
    row('8.62', 'lists in lists, 1,000 deep', nested('[]', 1000), 'RFC 8259, 9', either),
    row('8.63', 'lists in lists, 100,000 deep', nested('[]', 100_000), 'RFC 8259, 9', either),
    row('8.64', 'objects in objects, 20,000 deep', nested('{}', 20_000), 'RFC 8259, 9', either),
    row('8.65', 'lists in lists, 100,000 deep, without an end', nested('[]', 100_000, false), json, none),
  ],
};

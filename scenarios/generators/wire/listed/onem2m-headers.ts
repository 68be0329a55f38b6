import { creating, type Parts, type Place, reading, withLength, withLine } from '../wire-case.ts';
import { either, section } from './robustness-case.ts';
import { listed, measured, unmeasured } from './sent.ts';

/** With these lines in the place of those of the same names. */
const saying =
  (...lines: readonly string[]) =>
  (at: Place): Parts =>
    replaced(reading(at), lines);
const typed =
  (type: string | undefined, body?: string) =>
  (at: Place): Parts => {
    const { headers, ...others } = creating(at, body);
    const kept = headers.filter((line) => !/^content-type:/i.test(line));
    return withLength({ ...others, headers: type === undefined ? kept : [...kept, `Content-Type: ${type}`] });
  };
function replaced(parts: Parts, lines: readonly string[]): Parts {
  const names = new Set(lines.map(nameOf));
  return withLine({ ...parts, headers: parts.headers.filter((line) => !names.has(nameOf(line))) }, ...lines);
}
const nameOf = (line: string) => line.split(':', 1)[0]?.toLowerCase();
/** The value is none; what nobody looks at may be anything. */
const invalid = '4xx 501 | 2xx';
const from = 'TS-0009, 6.4.7; TS-0004, 7.3.2.1';
const identifier = 'TS-0009, 6.4.8';
const release = 'TS-0009, 6.4.22; TS-0004, 7.3.2.1';
const time = 'TS-0009, 6.4.13 to 6.4.15; TS-0004, 7.3.2.1';
const type = 'TS-0009, 6.4.3; TS-0004, 7.3.2.1';
const accept = 'TS-0009, 6.4.2; RFC 9110, 12.5.1';
const format = '415 400 | 4xx 501 201';

export const onem2mHeaders = section(11, 'Headers of oneM2M', [
  ['an empty originator', saying('X-M2M-Origin:'), from, either],
  ['two originators', saying('X-M2M-Origin: Cone', 'X-M2M-Origin: Ctwo'), from, either],
  ['an originator of slashes', saying('X-M2M-Origin: ///'), from, either],
  ['the originator __proto__', saying('X-M2M-Origin: __proto__'), from, either],
  ['an originator of 5,000 letters', saying(`X-M2M-Origin: C${'x'.repeat(5000)}`), from, either],
  ['an originator with bytes over 127', saying('X-M2M-Origin: C\xe9\xff'), from, either],
  ['an originator with an escaped zero byte', saying('X-M2M-Origin: C%00'), from, either],
  ['an empty request identifier', saying('X-M2M-RI:'), identifier, either],
  ['two request identifiers', saying('X-M2M-RI: 1', 'X-M2M-RI: 2'), identifier, either],
  ['a request identifier of 5,000 letters', saying(`X-M2M-RI: ${'x'.repeat(5000)}`), identifier, either],
  ['a request identifier with bytes over 127', saying('X-M2M-RI: \xe9\xff'), identifier, either],
  ['a request identifier of punctuation', saying('X-M2M-RI: ,;:"\\<>'), identifier, either],
  ['a release that nobody knows', saying('X-M2M-RVI: 99'), release, invalid],
  ['an empty release', saying('X-M2M-RVI:'), release, either],
  ['a release of words', saying('X-M2M-RVI: latest'), release, invalid],
  ['a request that has expired', saying('X-M2M-RET: 20000101T000000'), time, '4xx 501 504 | 2xx'],
  ['an expiration that is no time', saying('X-M2M-RET: soon'), time, invalid],
  ['an expiration that does not exist', saying('X-M2M-RET: 20991332T256161'), time, invalid],
  ['a result that has expired', saying('X-M2M-RST: 20000101T000000'), time, '4xx 501 504 | 2xx'],
  ['an execution time that is none', saying('X-M2M-OET: never'), time, invalid],
  ['a time stamp that is none', saying('X-M2M-OT: \x7f'), 'TS-0009, 6.4.12', either],
  ['an event category of words', saying('X-M2M-EC: x'), 'TS-0009, 6.4.16', invalid],
  ['a group request identifier of 5,000 letters', saying(`X-M2M-GID: ${'x'.repeat(5000)}`), 'TS-0009, 6.4.10', either],
  ['addresses for the answer that are none', saying('X-M2M-RTU: ://&%'), 'TS-0009, 6.4.11', either],
  ['an answer that is to come later, to nowhere', saying('X-M2M-RTU: http://127.0.0.1:1/x'), 'TS-0009, 6.4.11', either],
  ['no content type', typed(undefined), type, format],
  ['an empty content type', typed(''), type, format],
  ['a content type of plain text', typed('text/plain'), type, format],
  ['a content type that is none', typed('json'), type, format],
  ['a resource type that nobody knows', typed('application/json;ty=99999'), type, format],
  ['a resource type of words', typed('application/json;ty=x'), type, format],
  ['a negative resource type', typed('application/json;ty=-4'), type, format],
  ['two resource types', typed('application/json;ty=4;ty=3'), type, format],
  ['another resource type than that of the content', typed('application/json;ty=3'), type, format],
  ['a charset that JSON does not have', typed('application/json;charset=utf-16;ty=4'), 'RFC 8259, 8.1', format],
  ['XML that is none', typed('application/xml;ty=4', '<m2m:cin'), type, '400 415 | 4xx 501'],
  [
    'XML with an entity of a file',
    typed(
      'application/vnd.onem2m-res+xml;ty=4',
      '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><m2m:cin><con>&y;</con></m2m:cin>',
    ),
    type,
    '4xx 501',
  ],
  ['CBOR that is none', typed('application/cbor;ty=4', '\xff\xff\xff'), type, '400 415 | 4xx 501'],
  [
    'CBOR whose length no memory holds',
    typed('application/cbor;ty=4', '\x9b\x7f\xff\xff\xff\xff\xff\xff\xff'),
    type,
    '400 415 | 4xx 501',
  ],
  ['content that is said to be gzip', measured(unmeasured('Content-Encoding: gzip')), 'RFC 9110, 8.4', format],
  ['an Accept that nothing fulfils', saying('Accept: image/png'), accept, '406 2xx | 4xx'],
  ['an Accept that is none', saying('Accept: */*;q=x'), accept, either],
  ['an empty Accept', saying('Accept:'), accept, either],
  [
    'a thousand media types in Accept',
    saying(`Accept: ${listed(1000, (at) => `a/${at}`)}, application/json`),
    accept,
    '2xx | 4xx closed',
  ],
]);

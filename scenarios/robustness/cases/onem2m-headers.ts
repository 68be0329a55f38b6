import { creating, type Parts, type Place, reading, withLength, withLine } from '../../generators/wire/wire-case.ts';
import { type Expectation, either, type RobustnessSection, row } from '../robustness-case.ts';

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
const invalid: Expectation = { right: ['4xx', 501], tolerable: ['2xx'] };
const from = 'TS-0009, 6.4.7; TS-0004, 7.3.2.1';
const identifier = 'TS-0009, 6.4.8';
const release = 'TS-0009, 6.4.22; TS-0004, 7.3.2.1';
const time = 'TS-0009, 6.4.13 to 6.4.15; TS-0004, 7.3.2.1';
const type = 'TS-0009, 6.4.3; TS-0004, 7.3.2.1';
const accept = 'TS-0009, 6.4.2; RFC 9110, 12.5.1';
const format: Expectation = { right: [415, 400], tolerable: ['4xx', 501, 201] };

export const onem2mHeaders: RobustnessSection = {
  number: 11,
  title: 'Headers of oneM2M',
  cases: [
    row('11.1', 'an empty originator', saying('X-M2M-Origin:'), from, either),
    row('11.2', 'two originators', saying('X-M2M-Origin: Cone', 'X-M2M-Origin: Ctwo'), from, either),
    row('11.3', 'an originator of slashes', saying('X-M2M-Origin: ///'), from, either),
    row('11.4', 'the originator __proto__', saying('X-M2M-Origin: __proto__'), from, either),
    row('11.5', 'an originator of 5,000 letters', saying(`X-M2M-Origin: C${'x'.repeat(5000)}`), from, either),
    row('11.6', 'an originator with bytes over 127', saying('X-M2M-Origin: C\xe9\xff'), from, either),
    row('11.7', 'an originator with an escaped zero byte', saying('X-M2M-Origin: C%00'), from, either),
    row('11.8', 'an empty request identifier', saying('X-M2M-RI:'), identifier, either),
    row('11.9', 'two request identifiers', saying('X-M2M-RI: 1', 'X-M2M-RI: 2'), identifier, either),
    row('11.10', 'a request identifier of 5,000 letters', saying(`X-M2M-RI: ${'x'.repeat(5000)}`), identifier, either),
    row('11.11', 'a request identifier with bytes over 127', saying('X-M2M-RI: \xe9\xff'), identifier, either),
    row('11.12', 'a request identifier of punctuation', saying('X-M2M-RI: ,;:"\\<>'), identifier, either),
    row('11.13', 'a release that nobody knows', saying('X-M2M-RVI: 99'), release, invalid),
    row('11.14', 'an empty release', saying('X-M2M-RVI:'), release, either),
    row('11.15', 'a release of words', saying('X-M2M-RVI: latest'), release, invalid),
    row('11.16', 'a request that has expired', saying('X-M2M-RET: 20000101T000000'), time, {
      right: ['4xx', 501, 504],
      tolerable: ['2xx'],
    }),
    row('11.17', 'an expiration that is no time', saying('X-M2M-RET: soon'), time, invalid),
    row('11.18', 'an expiration that does not exist', saying('X-M2M-RET: 20991332T256161'), time, invalid),
    row('11.19', 'a result that has expired', saying('X-M2M-RST: 20000101T000000'), time, {
      right: ['4xx', 501, 504],
      tolerable: ['2xx'],
    }),
    row('11.20', 'an execution time that is none', saying('X-M2M-OET: never'), time, invalid),
    row('11.21', 'a time stamp that is none', saying('X-M2M-OT: \x7f'), 'TS-0009, 6.4.12', either),
    row('11.22', 'an event category of words', saying('X-M2M-EC: x'), 'TS-0009, 6.4.16', invalid),
    row(
      '11.23',
      'a group request identifier of 5,000 letters',
      saying(`X-M2M-GID: ${'x'.repeat(5000)}`),
      'TS-0009, 6.4.10',
      either,
    ),
    row('11.24', 'addresses for the answer that are none', saying('X-M2M-RTU: ://&%'), 'TS-0009, 6.4.11', either),
    row(
      '11.25',
      'an answer that is to come later, to nowhere',
      saying('X-M2M-RTU: http://127.0.0.1:1/x'),
      'TS-0009, 6.4.11',
      either,
    ),
    row('11.26', 'no content type', typed(undefined), type, format),
    row('11.27', 'an empty content type', typed(''), type, format),
    row('11.28', 'a content type of plain text', typed('text/plain'), type, {
      right: [415, 400],
      tolerable: ['4xx', 501, 201],
    }),
    row('11.29', 'a content type that is none', typed('json'), type, format),
    row('11.30', 'a resource type that nobody knows', typed('application/json;ty=99999'), type, format),
    row('11.31', 'a resource type of words', typed('application/json;ty=x'), type, format),
    row('11.32', 'a negative resource type', typed('application/json;ty=-4'), type, format),
    row('11.33', 'two resource types', typed('application/json;ty=4;ty=3'), type, format),
    row('11.34', 'another resource type than that of the content', typed('application/json;ty=3'), type, format),
    row(
      '11.35',
      'a charset that JSON does not have',
      typed('application/json;charset=utf-16;ty=4'),
      'RFC 8259, 8.1',
      format,
    ),
    row('11.36', 'XML that is none', typed('application/xml;ty=4', '<m2m:cin'), type, {
      right: [400, 415],
      tolerable: ['4xx', 501],
    }),
    row(
      '11.37',
      'XML with an entity of a file',
      typed(
        'application/vnd.onem2m-res+xml;ty=4',
        '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><m2m:cin><con>&y;</con></m2m:cin>',
      ),
      type,
      { right: ['4xx', 501], tolerable: [] },
    ),
    row('11.38', 'CBOR that is none', typed('application/cbor;ty=4', '\xff\xff\xff'), type, {
      right: [400, 415],
      tolerable: ['4xx', 501],
    }),
    row(
      '11.39',
      'CBOR whose length no memory holds',
      typed('application/cbor;ty=4', '\x9b\x7f\xff\xff\xff\xff\xff\xff\xff'),
      type,
      { right: [400, 415], tolerable: ['4xx', 501] },
    ),
    row(
      '11.40',
      'content that is said to be gzip',
      (at) => withLength(withLine(creating(at), 'Content-Encoding: gzip')),
      'RFC 9110, 8.4',
      format,
    ),
    row('11.41', 'an Accept that nothing fulfils', saying('Accept: image/png'), accept, {
      right: [406, '2xx'],
      tolerable: ['4xx'],
    }),
    row('11.42', 'an Accept that is none', saying('Accept: */*;q=x'), accept, either),
    row('11.43', 'an empty Accept', saying('Accept:'), accept, either),
    row(
      '11.44',
      'a thousand media types in Accept',
      saying(`Accept: ${Array.from({ length: 1000 }, (_, at) => `a/${at}`).join()}, application/json`),
      accept,
      { right: ['2xx'], tolerable: ['4xx', 'closed'] },
    ),
  ],
};

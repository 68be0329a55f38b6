import { systemClock } from '../../clock.ts';
import { writeBasicTimestamp } from '../../dialects/timestamp.ts';
import type { Wrap } from '../../faults/fault.ts';
import { isSuccess } from '../../faults/vocabulary/asked.ts';
import { changingAnswers, changingRequests, handling } from '../../faults/vocabulary/blocks.ts';
import { changingShown } from '../../faults/vocabulary/changed-answers.ts';
import { changingCreates, describing, toBeCreated, withHeaders } from '../../faults/vocabulary/changed-requests.ts';
import { tellingAsGiven } from '../../faults/vocabulary/told.ts';
import type { Quirk } from '../product.ts';

const millisecond = 1000;
const system = systemClock();
let identifiers = 0;

/** Another text each time. */
function timeOfNow(): string {
  identifiers += 1;
  return `${writeBasicTimestamp(system.now()).slice(0, -3)}${String(identifiers).padStart(4, '0')}`;
}

/** What resources hold. */
export const resources: readonly Quirk[] = [
  {
    id: 'time.milliseconds',
    says: 'Times are told in milliseconds.',
    notes: 'tinyiot-mobius.md, 2, row "ct/lt/et"',
    violates: {},
    because: 'The form has as many digits as its writer wants (TS-0004 6.3.3).',
    settings: { clock: { ...system, now: () => Math.floor(system.now() / millisecond) * millisecond } },
    wrap: changingShown(undefined, (attributes) => {
      for (const name of ['ct', 'lt', 'et']) {
        const { [name]: time } = attributes;
        if (typeof time === 'string') attributes[name] = time.replace(/(,\d{3})\d{3}$/, '$1');
      }
    }),
  },
  {
    id: 'expiration.two-years',
    says: 'What is created without an expiration time lives for two years less a day.',
    notes: 'tinyiot-mobius.md, 2, row "default et"',
    violates: {},
    because: 'How long a resource lives by default is the affair of the CSE.',
    settings: { limits: { lifetime: 729 * 86_400 } },
  },
  {
    id: 'identifier.comma',
    says: 'Identifiers hold the time of creation, with a comma; those of application entities without it, behind CAE or SAE.',
    notes: 'tinyiot-mobius.md, 2, rows "ri of CNT", "ri of AE" and "empty X-M2M-Origin: on AE create"',
    violates: {},
    because: 'No requirement speaks of the characters of an identifier.',
    settings: { randomText: timeOfNow },
    wrap: changingRequests((request) => {
      const { 'x-m2m-origin': originator = '' } = request.headers;
      if (!['', 'C', 'S'].includes(originator) || toBeCreated(request)?.root !== 'm2m:ae') return undefined;
      const assigned = `${originator || 'C'}AE${timeOfNow().replace(',', '')}`;
      return withHeaders(request, { 'x-m2m-origin': assigned });
    }),
  },
  {
    id: 'container.limit-by-default',
    says: 'A container without mni has 1000.',
    notes: 'tinyiot-mobius.md, 2, row "CNT defaults"',
    violates: {},
    because: 'The CSE may set limits by its own policy (TS-0004 7.4.6.2.1).',
    wrap: changingCreates(({ root, attributes }) =>
      root === 'm2m:cnt' && attributes.mni === undefined ? { ...attributes, mni: 1000 } : undefined,
    ),
  },
  {
    id: 'content-instance.state-tag-before',
    says: 'A content instance carries the state tag that its container had before it.',
    notes: 'tinyiot-mobius.md, 2, row "CIN st"',
    violates: { onem2m: ['std.content-instance.st'] },
    wrap: changingShown('m2m:cin', (attributes) => {
      if (typeof attributes.st === 'number') attributes.st -= 1;
    }),
  },
  {
    id: 'content-instance.text-only',
    says: 'Content that is no text is refused.',
    notes: 'tinyiot-mobius.md, 2, row "con types"',
    violates: { onem2m: ['std.content-instance.con.number'] },
    wrap: changingCreates(({ root, attributes }) => {
      if (root !== 'm2m:cin' || ['string', 'undefined'].includes(typeof attributes.con)) return undefined;
      // With an attribute that only the CSE sets it is refused in the same way, at the right place in the order of checks.
      return { ...attributes, con: '', cs: 0 };
    }),
  },
  {
    id: 'content.ascii',
    says: 'Octets beyond those of ASCII that can be printed are dropped from the content of each request.',
    notes: 'tinyiot-mobius.md, 2, rows "non-ASCII payload" and "CIN cs"',
    violates: { onem2m: ['std.content-instance.con.utf-8'] },
    wrap: changingRequests((request) => ({
      ...request,
      body: Buffer.from(request.body).filter((octet) => octet >= 0x20 && octet <= 0x7e),
    })),
  },
  {
    id: 'expiration.any-text',
    says: 'An expiration time that cannot be read is taken, and told as it was given.',
    notes: 'tinyiot-mobius.md, 2, row "et malformed"',
    violates: { onem2m: ['std.create.wrong-type', 'std.common.et'] },
    wrap: both(
      changingCreates(({ attributes: { et, ...rest } }) => (isMalformed(et) ? rest : undefined)),
      tellingAsGiven(({ et }) => (isMalformed(et) ? { et } : undefined)),
    ),
  },
  {
    id: 'name.any-character',
    says: 'A name may hold a slash, a space or an apostrophe.',
    notes: 'tinyiot-mobius.md, 2, rows "rn a/b, a b" and "rn o\'x"',
    violates: { onem2m: ['std.create.name-shape'] },
    wrap: both(
      changingCreates(({ attributes }) =>
        isStrange(attributes.rn) ? { ...attributes, rn: String(attributes.rn).replace(strange, '~') } : undefined,
      ),
      tellingAsGiven(({ rn }) => (isStrange(rn) ? { rn } : undefined)),
    ),
  },
  {
    id: 'create.time-twice',
    says: 'A creation time that is given is taken, and stands in the answer beside that of the CSE.',
    notes: 'tinyiot-mobius.md, 2, row "NP attribute on create (ct)"',
    violates: { onem2m: ['std.create.read-only'] },
    wrap: handling(async (request, service) => {
      const described = toBeCreated(request);
      if (described?.attributes.ct === undefined) return service.handle(request);
      const { ct, ...attributes } = described.attributes;
      const answer = await service.handle(describing(request, { ...described, attributes }));
      if (!isSuccess(answer) || typeof answer.body !== 'string') return answer;
      return { ...answer, body: answer.body.replace(/^(\{"[^"]+":\{)/, `$1"ct":${JSON.stringify(ct)},`) };
    }),
  },
  {
    id: 'numbers.fraction',
    says: 'Integers in JSON are written with a fraction, as 5.0.',
    notes: 'tinyiot-mobius.md, 2, row "integers in JSON"',
    violates: {},
    because: 'JSON has one kind of numbers, in which 5.0 is 5 (RFC 8259, 6).',
    wrap: changingAnswers((answer) =>
      typeof answer.body === 'string' ? { ...answer, body: withFractions(answer.body) } : undefined,
    ),
    wrapSender: (sender) => ({
      send: (baseUrl, request, signal) =>
        sender.send(
          baseUrl,
          typeof request.body === 'string' ? { ...request, body: withFractions(request.body) } : request,
          signal,
        ),
    }),
  },
];

const strange = /[/ ']/g;
const isStrange = (name: unknown): boolean => typeof name === 'string' && name.search(strange) >= 0;
const isMalformed = (time: unknown): boolean => typeof time === 'string' && !/^\d{8}T\d{6}(,\d+)?$/.test(time);

/** The second around the first. */
function both(inner: Wrap, outer: Wrap): Wrap {
  return (service, core) => outer(inner(service, core), core);
}

function withFractions(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|(-?\d+)(?![\d.eE])/g, (all, quoted) =>
    quoted === undefined ? `${all}.0` : all,
  );
}

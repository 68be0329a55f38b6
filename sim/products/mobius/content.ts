/** Mobius: what it takes as the content of a resource, and what it refuses. */
import type { Cse } from '../../core/cse.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import { readTimestamp } from '../../dialects/timestamp.ts';
import type { Wrap } from '../../faults/fault.ts';
import { isSuccess } from '../../faults/vocabulary/asked.ts';
import { changingRequests, handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, recoded, refused, withBody } from '../../faults/vocabulary/changed-answers.ts';
import { describing, toBeCreated, withHeaders } from '../../faults/vocabulary/changed-requests.ts';
import { type Described, describedIn, eachResource, jsonIn } from '../../faults/vocabulary/representations.ts';
import { Told } from '../../faults/vocabulary/told.ts';
import type { Quirk } from '../product.ts';

const notes = (row: string) => `tinyiot-mobius.md 2, ${row}`;

/** `ty` of the roots whose kind Mobius takes from the body. */
const typeOf: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'm2m:acp': 1,
    'm2m:ae': 2,
    'm2m:cnt': 3,
    'm2m:cin': 4,
    'm2m:grp': 9,
    'm2m:mgo': 13,
    'm2m:nod': 14,
    'm2m:csr': 16,
    'm2m:sub': 23,
    'm2m:fcnt': 28,
    'm2m:ts': 29,
    'm2m:tsi': 30,
  }),
);

/** The create as the body says it: its kind decides. */
function asTheBodySays(request: HttpRequest): HttpRequest | undefined {
  const label = request.headers['content-type'];
  const ty = typeOf.get(describedIn(request.body)?.root ?? '');
  if (request.method !== 'POST' || ty === undefined || label === undefined || !/;\s*ty=/.test(label)) return undefined;
  return withHeaders(request, { 'content-type': label.replace(/ty=[^;]*/, `ty=${ty}`) });
}

/**
 * Creates with a value that the reference CSE refuses: it is left out, or replaced by another, and answered nonetheless wherever the
 * resource is shown.
 */
function keeping(name: string, isOdd: (given: string, root: string, core: Cse) => boolean, instead?: string): Wrap {
  return (service, core) => {
    const told = new Told();
    const oddIn = ({ method, body }: HttpRequest): OddCreate | undefined => {
      const shown = method === 'POST' ? describedIn(body) : undefined;
      const given = shown?.attributes[name];
      return shown && typeof given === 'string' && isOdd(given, shown.root, core) ? { shown, given } : undefined;
    };
    return handling(async (request) => {
      const odd = oddIn(request);
      const answer = await service.handle(
        odd === undefined ? request : describing(request, replaced(odd, name, instead)),
      );
      if (odd !== undefined && isSuccess(answer))
        told.say(describedIn(answer.body)?.attributes.ri, { [name]: odd.given });
      return told.in(answer);
    })(service, core);
  };
}

interface OddCreate {
  readonly shown: Described;
  readonly given: string;
}

function replaced({ shown }: OddCreate, name: string, instead: string | undefined): Described {
  const { [name]: _odd, ...others } = shown.attributes;
  return { ...shown, attributes: instead === undefined ? others : { ...others, [name]: instead } };
}

const nowOf = (core: Cse) => core.services.ports.clock.now();

/** Names that the reference CSE refuses stand in the tree under others. */
const oddName = /[ /]/;

export const content: readonly Quirk[] = [
  {
    id: 'create.kind-of-the-body',
    says: 'ty of a create is not compared with the body: what the body says is created, with ty=99 too.',
    notes: notes('ty ≠ body root'),
    violates: { onem2m: ['std.create.wrong-root'] },
    wrap: changingRequests(asTheBodySays),
  },
  {
    id: 'media-type.text-plain',
    says: 'A body that is labelled text/plain is taken for JSON.',
    notes: notes('unsupported media type'),
    violates: { onem2m: ['std.headers.content-type.foreign'] },
    wrap: changingRequests((request) => {
      const label = request.headers['content-type'];
      if (label === undefined || !/^text\/plain/i.test(label)) return undefined;
      return withHeaders(request, { 'content-type': label.replace(/^text\/plain/i, 'application/json') });
    }),
  },
  {
    id: 'api.any',
    says: 'An application identifier may begin with anything.',
    notes: notes('api without N/R prefix'),
    violates: { onem2m: ['std.ae.register.app-id'] },
    wrap: keeping('api', (given, root) => root === 'm2m:ae' && !/^[NR]/.test(given), 'N'),
  },
  {
    id: 'expiration.passed',
    says: 'An expiration time that has passed is taken on creation, and answered as it was given.',
    notes: notes('et in the past'),
    violates: { onem2m: ['std.create.et-passed'] },
    wrap: keeping('et', (given, _root, core) => {
      const time = readTimestamp(given);
      return time !== undefined && time <= nowOf(core);
    }),
  },
  {
    id: 'expiration.malformed',
    says: 'An expiration time that is none is taken on creation, and answered as it was given.',
    notes: notes('et malformed'),
    violates: { onem2m: ['std.create.wrong-type'] },
    wrap: keeping('et', (given) => readTimestamp(given) === undefined),
  },
  {
    id: 'name.any-characters',
    says: 'A name may have a slash or a space in it.',
    notes: notes('rn a/b, a b'),
    violates: { onem2m: ['std.create.name-shape'] },
    wrap: handling(async (request, service) => {
      const shown = toBeCreated(request);
      const name = shown?.attributes.rn;
      if (shown === undefined || typeof name !== 'string' || !oddName.test(name)) return service.handle(request);
      const rn = name.replaceAll(/[ /]/g, '_');
      const answer = await service.handle(describing(request, { ...shown, attributes: { ...shown.attributes, rn } }));
      const told = eachResource(jsonIn(answer.body), (one) => (one.rn === rn ? { ...one, rn: name } : one));
      return codeOf(answer) === 2001 ? withBody(answer, told) : answer;
    }),
  },
  {
    id: 'name.apostrophe.fails',
    says: 'A name with an apostrophe ends in 500 and 5000.',
    notes: notes("rn o'x"),
    violates: {},
    because: 'No requirement speaks of such a name.',
    wrap: handling((request, service) =>
      request.method === 'POST' && String(describedIn(request.body)?.attributes.rn).includes("'")
        ? refused(500, 5000, request)
        : service.handle(request),
    ),
  },
  {
    id: 'mni.no-number.fails',
    says: 'A text as mni ends in 500 and 5000.',
    notes: notes('mni="abc"'),
    violates: { onem2m: ['std.container.invalid-limit'] },
    wrap: handling((request, service) =>
      request.method === 'POST' && typeof describedIn(request.body)?.attributes.mni === 'string'
        ? refused(500, 5000, request)
        : service.handle(request),
    ),
  },
  {
    id: 'child.wrong.5203',
    says: 'A kind that may not stand there is refused with 5203.',
    notes: notes('wrong child type'),
    violates: { onem2m: ['std.create.wrong-child', 'std.content-instance.no-children'] },
    wrap: handling(async (request, service) => {
      const answer = await service.handle(request);
      return codeOf(answer) === 4108 ? recoded(answer, 403, 5203) : answer;
    }),
  },
  {
    id: 'name.by-the-millisecond',
    says: 'What is created without a name is called by its kind and the time in milliseconds.',
    notes: notes('rn when absent'),
    violates: {},
    because: 'Two names are the same only where one parent gets two children in a millisecond, which no scenario does.',
    wrap: (service, core) =>
      changingRequests((request) => {
        const shown = toBeCreated(request);
        const ty = typeOf.get(shown?.root ?? '');
        if (shown === undefined || ty === undefined || 'rn' in shown.attributes) return undefined;
        const rn = `${ty}-${new Date(nowOf(core) / 1000).toISOString().replaceAll(/\D/g, '')}`;
        return describing(request, { ...shown, attributes: { ...shown.attributes, rn } });
      })(service, core),
  },
];

/** Ways to answer otherwise that the sources allow. A row stands here only where the clause that it names allows it clearly. */
import type { DialectName } from '../../core/resource-type.ts';

interface Where {
  /** Of both when absent. */
  readonly dialect?: DialectName;
  /** Shows only to a client of a live target, which keeps pauses and tries again. */
  readonly live?: true;
}

/** What varies, in which ways (one at a time), what allows it, and where. */
function row<const What extends string, const Ways extends readonly [string, ...string[]]>(
  what: What,
  ways: Ways,
  allowedBy: string,
  where: Where = {},
) {
  return { what, ways, allowedBy, ...where };
}

const documented: Where = { dialect: 'documented' };
const onem2m: Where = { dialect: 'onem2m' };
const live: Where = { live: true };

/** The same answer in other words. */
const shape = [
  row('keys', ['reversed', 'sorted'], 'RFC 8259, 4: an object is unordered'),
  row('space', ['indented', 'tabs', 'around'], 'RFC 8259, 2: insignificant white space is allowed'),
  row('escapes', ['beyond ASCII', 'slashes', 'letters'], 'RFC 8259, 7: any character may be escaped'),
  row(
    'header',
    ['added', 'in lower case', 'in upper case'],
    'RFC 9110, 5.1: names have no case, and unknown fields are ignored',
  ),
  row('type', ['with a charset'], 'RFC 9110, 8.3.1: parameters may follow a media type'),
  row(
    'type',
    ['another of JSON'],
    'TS-0009, 6.4.3: one of these, considering Accept; the interface specification says it of requests only',
  ),
] as const;

/** What no source says of an answer. */
const content = [
  row(
    'found',
    ['reversed', 'sorted'],
    'interface specification, note 5: the body is not shown; TS-0004, 7.5.2: a list, of no order',
  ),
  row(
    'children',
    ['reversed'],
    'interface specification, AE: an array of objects; TS-0004, 6.3.5.49: a list of references; of no order',
  ),
  row(
    'additional',
    ['attributes'],
    'interface specification, fields: the complete table of short names is not shown',
    documented,
  ),
  row(
    'deleted',
    ['empty', 'an object'],
    'interface specification, endpoint 8: the body of the answer is not shown',
    documented,
  ),
  row(
    'created at /',
    ['with 200', 'with 202'],
    'interface specification, endpoint 4: its status is not shown',
    documented,
  ),
  row(
    'refusals',
    ['with 400', 'with 404', 'with 422'],
    'interface specification, errors: status codes and conditions are not shown',
    documented,
  ),
  row(
    'says',
    ['plain text', 'a page', 'another object'],
    'interface specification, errors: error bodies are not shown',
    documented,
  ),
  row(
    'says',
    ['nothing'],
    'TS-0004, 7.5.2, note 5: debugInfo is optional; the interface specification shows no error bodies',
  ),
  row(
    'parameters',
    ['left out'],
    'interface specification, wire conventions: X-M2M-Origin of requests is the only header of oneM2M',
    documented,
  ),
] as const;

/** What the CSE chooses by itself. */
const choices = [
  row(
    'identifiers',
    ['other prefixes'],
    'interface specification, ri: a prefix for the kind and a counter',
    documented,
  ),
  row(
    'identifiers',
    ['long', 'with dots and dashes'],
    'TS-0001, table 7.2-1: any unreserved characters; TS-0004, 7.3.3.5: the CSE makes up missing names',
    onem2m,
  ),
  row(
    'names',
    ['short', 'with a dash'],
    'interface specification, rn: a shape is given for content instances only',
    documented,
  ),
  row(
    'times',
    ['in milliseconds'],
    'interface specification, timestamps, and TS-0004, 6.3.3: a form, and no granularity',
  ),
  row(
    'fractions',
    ['without zeros at the end'],
    'TS-0004, 6.3.3: the fraction may be missing, and has one to six digits',
    onem2m,
  ),
  row(
    'lifetime',
    ['an hour', 'a year'],
    'interface specification, et: set by the service; TS-0001, 9.6.1.3.2: by local policies',
  ),
  row(
    'et',
    ['ignored', 'refused'],
    'interface specification, et: set by the service, in no table of what a request gives',
    documented,
  ),
  row(
    'et',
    ['ignored in a create'],
    'TS-0004, 7.3.3.3: the CSE overrides what does not meet its policy; TS-0001, 9.6.1.3.2: a hint',
    onem2m,
  ),
] as const;

/** What it need not do. */
const omissions = [
  row(
    'without',
    ['updates', 'removal below applications', 'the removal of instances'],
    'interface specification, note 5: update, and deletion of containers and content instances, are not shown',
    documented,
  ),
  row(
    'without',
    ['the oldest', 'addresses by identifier', 'other kinds', 'other filters'],
    'interface specification, endpoints: shown in none of them',
    documented,
  ),
  row('without', ['OPTIONS'], 'RFC 9110, 9.1: methods other than GET and HEAD are optional', documented),
] as const;

/** Whom it takes for authenticated. */
const authentication = [
  row(
    'certificates',
    ['for servers only, too'],
    'interface specification, HTTP transport plugin: which purpose a client certificate is for is not shown',
    documented,
  ),
] as const;

/** What it tells others. */
const notifications = [
  row(
    'events',
    ['one in three not told'],
    'interface specification, events: triggers, payloads and delivery rules of notifications are not shown',
    documented,
  ),
] as const;

/** Other bytes for the same answer, and other manners of a connection. */
const wire = [
  row(
    'framing',
    ['chunks', 'chunks of one byte', 'chunks with extensions and trailers'],
    'RFC 9112, 7.1: every recipient reads chunks (TS-0009, 6.4.5, wants Content-Length)',
    { ...documented, ...live },
  ),
  row(
    'connection',
    ['closed after each answer', 'closed after each third'],
    'RFC 9112, 9.6: a server may close after an answer that says so',
    live,
  ),
  row('idle', ['closed soon'], 'RFC 9112, 9.5: a server may close an idle connection at any time', live),
  row(
    'version',
    ['HTTP/1.0'],
    'RFC 9110, 2.5: the highest version that the server speaks (TS-0009, 6.3.1, wants HTTP/1.1)',
    { ...documented, ...live },
  ),
  row(
    'before',
    ['102', '103', '103 twice'],
    'RFC 9110, 15.2: a client reads interim answers that it does not expect',
    live,
  ),
  row('reason', ['none'], 'RFC 9112, 4: the reason phrase is optional; TS-0009, 6.3.3: it is left out', live),
  row('reason', ['another'], 'RFC 9112, 4: clients ignore the reason phrase', { ...documented, ...live }),
  row(
    'pace',
    ['jitter', 'head before body'],
    'RFC 9293, 3.8: a stream of bytes, in any pieces; interface specification, limits: time-outs are not shown',
    live,
  ),
  row(
    'busy',
    ['429 with seconds', '429 with a date', 'one 503'],
    'RFC 6585, 4, and RFC 9110, 15.6.4 with 10.2.3: for a while, which Retry-After says',
    live,
  ),
  row(
    'refused',
    ['one connection'],
    'RFC 9112, 9.4: a server may reject connections; interface specification, limits: not shown',
    live,
  ),
] as const;

export const variationRows = [
  ...shape,
  ...content,
  ...choices,
  ...omissions,
  ...authentication,
  ...notifications,
  ...wire,
] as const;

type Rows = (typeof variationRows)[number];
type OfRow<Row extends Rows> = Row extends Rows ? { readonly [What in Row['what']]: Row['ways'][number] } : never;

/** Such as `{ keys: 'reversed' }`. */
export type Variation = OfRow<Rows>;
/** The ways of one of them: `WaysOf<'keys'>`. */
export type WaysOf<What extends Rows['what']> = Extract<Rows, { readonly what: What }>['ways'][number];

import { dataOf, headersOf, innerOf, isObject, jsonOf, listOf, onlyKey } from '../engine/basics/body.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { type CseNames, keyOf, resolveAddress } from '../engine/messages/address.ts';
import type { Exchange, SentRequest } from '../engine/results/exchange.ts';
import { typeOfRoot } from '../oracle/observation/resource-types.ts';
import { attributeErrors, isTimestamp } from './attributes.ts';
import type { FactName, Facts } from './facts.ts';

/** Query parameters (TS-0009 6.2.2.2): timestamps, criteria, and those that must not be repeated. */
const times = new Set('crb cra ms us exb exa'.split(' '));
const criteria = new Set([...times, ...'sts stb lbl ty sza szb cty lim fu smf fo cfs cfq lvl ofst'.split(' ')]);
const once = new Set([...times, ...'rt rp rcn da sts stb sza szb lim fu fo cfs cfq lvl ofst drt'.split(' ')]);

const virtual = new Map(Object.entries({ la: 'latest', latest: 'latest', ol: 'oldest', pcu: 'polling URI' }));
const operations = new Map(Object.entries({ POST: 'create', GET: 'retrieve', PUT: 'update', DELETE: 'delete' }));
/** Roots of notifications, which create nothing (TS-0004 7.5). */
const notifications = new Set(['m2m:rsp', 'm2m:sgn', 'm2m:agn']);

/** Facts about requests of applications, with the state that later requests depend on. */
export class ApplicationRequests {
  readonly #names: CseNames;
  readonly #dialect: Dialect;
  /** Resource types by address. */
  readonly #types = new Map<string, string>();
  /** The first request with each identifier, by originator. */
  readonly #used = new Map<string, string>();
  /** Identifiers of requests that applications received from a polling URI. */
  readonly #delivered = new Set<string>();
  /** URLs in points of access and in notification targets. */
  readonly #urls = { poa: new Set<string>(), nu: new Set<string>() };

  constructor(names: CseNames, dialect: Dialect) {
    this.#names = names;
    this.#dialect = dialect;
  }

  /** Whether a URL belongs to a point of access, and certainly not to a subscription. */
  isPointOfAccess(url: string): boolean {
    const { poa, nu } = this.#urls;
    return [...poa].some((one) => url.startsWith(one)) && ![...nu].some((one) => url.startsWith(one));
  }

  /** Facts about a request, of which it takes note. */
  read(exchange: Exchange): Facts {
    const { request } = exchange;
    const message = factsOfMessage(request);
    const root = onlyKey(message.json);
    const query = queryIn(request.path);
    const facts = new Map<FactName, unknown>([
      ...message.facts,
      ...this.#addressFacts(request),
      ...query.facts,
      ['method', request.method],
      ['originator', message.headers.get('x-m2m-origin')],
      ['operation', this.#operation(request, root, query.fields.get('fu'))],
      ['used before', this.#usedBefore(request, message.headers)],
      ['resource type', typeIn(message.headers)],
      ...(isObject(message.json) ? [['members', Object.keys(message.json).length] as const] : []),
    ]);
    for (const [name, value] of this.#contentFacts(root, message, facts)) facts.set(name, value);
    const isReadable = facts.get('operation') !== 'create' || root !== undefined;
    if (isReadable) facts.set('registers', facts.get('operation') === 'create' && facts.get('type') === 'ae');
    const attributes = dataOf(facts.get('attributes'));
    for (const name of ['poa', 'nu'] as const)
      for (const url of listOf(attributes[name])) if (typeof url === 'string') this.#urls[name].add(bare(url));
    this.#remember(exchange, facts);
    return facts;
  }

  #operation({ method, path }: SentRequest, root: string | undefined, usage: string | undefined): string {
    const operation = operations.get(method) ?? 'other';
    const isNotification = notifications.has(root ?? '') || this.#targetOf(path) === 'polling URI';
    if (operation === 'create' && isNotification) return 'notify';
    return operation === 'retrieve' && usage === '1' ? 'discover' : operation;
  }

  #targetOf(path: string): string | undefined {
    const address = resolveAddress(path, this.#names);
    const { cseId, segments } = address;
    const last = segments.at(-1);
    if (cseId !== this.#names.cseId) return undefined;
    if (last === undefined || (segments.length === 1 && last === this.#names.base)) return 'base';
    return this.#types.get(keyOf(address)) ?? (segments.length > 1 ? virtual.get(last) : undefined);
  }

  #addressFacts({ path }: SentRequest): Array<readonly [FactName, unknown]> {
    const { base, cseId } = this.#names;
    const { segments } = resolveAddress(path, this.#names);
    const target = this.#targetOf(path);
    return [
      ...(segments.length > 0 ? [['structured', segments[0] === base] as const] : []),
      ...(target === undefined ? [] : [['target', target] as const]),
      ['misplaced', misplacedIn(path, cseId === base ? undefined : cseId)],
    ];
  }

  #usedBefore({ method, path }: SentRequest, headers: ReadonlyMap<string, string>): string | undefined {
    const [originator = '', identifier] = [headers.get('x-m2m-origin'), headers.get('x-m2m-ri')];
    // Several applications may register with the same letter.
    if (identifier === undefined || originator.length < 2) return undefined;
    const key = `${originator} ${identifier}`;
    const before = this.#used.get(key);
    if (before === undefined) this.#used.set(key, `${method} ${path}`);
    return before;
  }

  #contentFacts(root: string | undefined, { json, headers }: Message, facts: Facts): Message['facts'] {
    if (root === undefined) return [];
    const type = typeOfRoot(root, this.#dialect);
    const attributes = innerOf(json);
    const operation = facts.get('operation');
    const isChange = operation === 'create' || operation === 'update';
    const content = { attributes: attributes ?? {}, release: headers.get('x-m2m-rvi') };
    const errors = isChange && attributes && type && attributeErrors(type.name, operation, content);
    return [
      ['root', root],
      ...(type
        ? ([
            ['type', type.name],
            ['type agrees', type.number === facts.get('resource type')],
          ] as const)
        : []),
      ...(isChange && attributes !== undefined ? [['attributes', attributes] as const] : []),
      ...(errors ? (Object.entries(errors) as Array<[keyof typeof errors, unknown]>) : []),
      ...(root === 'm2m:rsp' ? [['answers', this.#delivered.has(String(attributes?.rqi))] as const] : []),
    ];
  }

  /** Takes note of the resource in an answer: its address and type. */
  #remember({ request, answer }: Exchange, facts: Facts): void {
    const body = jsonOf(answer?.body ?? '');
    const root = onlyKey(body);
    const representation = innerOf(body);
    if (answer === undefined || answer.status >= 300 || root === undefined || representation === undefined) return;
    if (root === 'm2m:rqp') this.#delivered.add(String(representation.rqi));
    const type = typeOfRoot(root, this.#dialect)?.name;
    if (type === undefined) return;
    const address = resolveAddress(request.path, this.#names);
    const isCreated = facts.get('operation') === 'create';
    const { ri, rn } = representation;
    const named = isCreated && typeof rn === 'string' ? [...address.segments, rn] : undefined;
    const addresses = [typeof ri === 'string' ? [ri] : undefined, isCreated ? named : address.segments];
    for (const segments of addresses) if (segments) this.#types.set(keyOf({ ...address, segments }), type);
  }
}

interface Message {
  readonly headers: ReadonlyMap<string, string>;
  readonly json: unknown;
  readonly facts: ReadonlyArray<readonly [FactName, unknown]>;
}

/** Facts about any request or answer. */
export function factsOfMessage(message: Pick<SentRequest, 'headers' | 'body'>): Message {
  const headers = headersOf(message);
  const mediaType = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const body = message.body ?? '';
  const json = jsonOf(body);
  const isOther = /\b(?:xml|cbor)$/.test(mediaType ?? '');
  const content = body === '' ? 'none' : isOther ? 'other' : isObject(json) ? 'JSON' : 'not JSON';
  return {
    headers,
    json: content === 'JSON' ? json : undefined,
    facts: [
      ['wire', 'HTTP'],
      ['headers', Object.fromEntries(headers)],
      ['identifier', headers.get('x-m2m-ri')],
      ['release', headers.get('x-m2m-rvi')],
      ['content', content],
      ['media type', mediaType],
    ],
  };
}

/** Without the query, which may name the serialization, and the trailing slash. */
const bare = (url: string): string => url.replace(/[?#].*$/, '').replace(/\/$/, '');

/** The `ty` of a Content-Type: a number, or the text as it is. */
function typeIn(headers: ReadonlyMap<string, string>): number | string | undefined {
  return numberOrText(/;\s*ty\s*=\s*"?([^;"\s]*)/i.exec(headers.get('content-type') ?? '')?.[1]);
}

export function numberOrText(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : text;
}

function misplacedIn(path: string, cseId: string | undefined): string | undefined {
  if (path.startsWith('//')) return 'an absolute identifier without /_ before it';
  if (/^\/[~_](?!\/)/.test(path)) return 'no slash after the sign of an SP-relative or absolute identifier';
  const isOfCse = cseId !== undefined && (path === `/${cseId}` || path.startsWith(`/${cseId}/`));
  return isOfCse ? 'an SP-relative identifier without /~ before it' : undefined;
}

function queryIn(path: string) {
  const parameters = [...new URLSearchParams(/\?([^#]*)/.exec(path)?.[1] ?? '')];
  const fields = new Map(parameters);
  const names = [...fields.keys()];
  const isRepeated = (name: string) => parameters.filter(([one]) => one === name).length > 1;
  const facts: Array<readonly [FactName, unknown]> = [
    ['query', Object.fromEntries(fields)],
    ['criteria', names.filter((name) => criteria.has(name))],
    ['repeated', names.filter((name) => once.has(name) && isRepeated(name))],
    ['mistimed', names.filter((name) => times.has(name) && !isTimestamp(fields.get(name)))],
  ];
  return { fields, facts };
}

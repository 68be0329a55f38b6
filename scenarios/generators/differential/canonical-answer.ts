import { headersOf, isObject } from '../../engine/basics/body.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { pathSegment } from '../../engine/messages/wire.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { Attempt, AttemptResponse } from '../moves/move.ts';
import type { RulesUsed } from './implementation-defined.ts';
import type { KnownNames } from './known-names.ts';

/** An answer in parts that mean the same at each target: `status`, `attribute cni`, `header x-m2m-ri`. */
export type CanonicalAnswer = ReadonlyMap<string, string>;

/** `crosses`: the other target uses another wire, so wire-specific parts are not compared. `shared`: whether both are one CSE. */
export interface AnswerContext {
  readonly used: RulesUsed;
  readonly crosses: boolean;
  readonly shared?: { readonly isOne: boolean };
}

export interface Reading {
  readonly attempt: Attempt;
  readonly exchange: Exchange;
  readonly response: AttemptResponse;
  /** Counted from 1 within the sequence. */
  readonly request: number;
}

/** Normalizes the answers of one target during one sequence. */
export class AnswerNormalizer {
  readonly #names: KnownNames;
  readonly #context: AnswerContext;
  /** Creation times, by normalized identifier. */
  readonly #created = new Map<string, bigint>();
  #latest: bigint | undefined;

  constructor(names: KnownNames, context: AnswerContext) {
    this.#names = names;
    this.#context = context;
  }

  read(reading: Reading): CanonicalAnswer {
    const { response, exchange } = reading;
    const parts = new Map<string, string>();
    parts.set('status', this.#context.crosses ? codeOf(reading) : statusOf(exchange));
    if (exchange.answer === undefined) return parts;
    this.#headers(reading, parts);
    if (response.outcome !== 'success') {
      if (exchange.answer.body !== '') this.#context.used.note('refusals');
      return parts;
    }
    if ('discover' in reading.attempt.step) this.#found(response.view, parts);
    else this.#representation(reading, parts);
    return parts;
  }

  #headers({ exchange, response }: Reading, parts: Map<string, string>): void {
    this.#context.used.note('headers');
    const { headers, rsc } = response.view;
    if (this.#context.crosses) this.#context.used.note('wire');
    else parts.set('RSC', rsc === undefined ? absent : String(rsc));
    const sentId = headersOf(exchange.request).get('x-m2m-ri');
    const echoedId = headers.get('x-m2m-ri');
    if (sentId !== undefined) this.#context.used.note('request identifiers');
    parts.set('header x-m2m-ri', echoedId === undefined ? absent : echoedId === sentId ? 'as sent' : 'another');
    parts.set('header x-m2m-rvi', headers.get('x-m2m-rvi') ?? absent);
    if (this.#context.crosses || exchange.answer?.body === '' || response.outcome !== 'success') return;
    const [type = ''] = (headers.get('content-type') ?? absent).split(';');
    parts.set('header content-type', type.trim().toLowerCase());
    const location = headers.get('content-location');
    parts.set('header content-location', location === undefined ? absent : 'present');
  }

  #found({ found, body }: AnswerView, parts: Map<string, string>): void {
    parts.set('body', found === undefined ? shapeOf(body) : 'a list of addresses');
    if (found === undefined) return;
    this.#context.used.note('addresses');
    this.#context.used.note('order of lists');
    const addresses = found.map((one) => (typeof one === 'string' ? this.#names.address(one) : JSON.stringify(one)));
    parts.set('found', addresses.sort().join(', '));
  }

  #representation(reading: Reading, parts: Map<string, string>): void {
    const { body, root, attributes } = reading.response.view;
    const { about } = reading.attempt;
    parts.set('body', shapeOf(body));
    if (root !== undefined) parts.set('root', root);
    if (attributes === undefined) return;
    const isBase = about.type === 'CSE base';
    if (isBase) this.#context.used.note('CSE base');
    const entries = Object.entries(attributes).filter(([name]) => !isBase || this.#isComparedOfBase(name));
    const resource = this.#resource(reading, attributes);
    for (const [name, value] of entries) {
      if (value === null || (Array.isArray(value) && value.length === 0)) this.#context.used.note('absent or empty');
      else parts.set(`attribute ${name}`, this.#value(name, value, { reading, attributes, resource }));
    }
  }

  /** What one CSE says of itself is the same over each wire; of two CSEs it is their own. */
  #isComparedOfBase(name: string): boolean {
    return name === 'ty' || (this.#context.shared?.isOne === true && !changing.has(name) && !isNested(name));
  }

  #resource({ request }: Reading, { ri }: Readonly<Record<string, unknown>>): string {
    return typeof ri === 'string' ? this.#names.identifier(ri, { attribute: 'ri', request }) : `of request ${request}`;
  }

  #value(name: string, value: unknown, where: ValueContext): string {
    if (typeof value !== 'string') return this.#structured(name, value, where.reading);
    const { request } = where.reading;
    if (ofAddresses.has(name)) return this.#names.address(value);
    if (name === 'ri' || name === 'pi') return this.#names.identifier(value, { attribute: name, request });
    if (name === 'aei' || name === 'cr') return this.#names.entity(value, request);
    if (name === 'rn') return this.#names.name(value, { isRequested: isRequested(where.reading, value), request });
    if (name !== 'ct' && name !== 'lt' && name !== 'et') return this.#plain(value);
    this.#context.used.note('times');
    return name === 'ct' ? this.#creation(value, where.resource) : sinceCreation(value, where.attributes.ct);
  }

  #structured(name: string, value: unknown, reading: Reading): string {
    if (isNested(name) || isRepresentation(value)) return this.#nested(value, reading);
    if (name === 'dcnt' && typeof value === 'number') {
      this.#context.used.note('deletion count');
      return 'a number';
    }
    if (!Array.isArray(value)) return this.#plain(value);
    if (name === 'ch' || name === 'rrf') return this.#children(value, reading.request);
    if (ofAddresses.has(name)) return value.map((one) => this.#addressOf(one)).join(', ');
    if (name !== 'lbl') return this.#plain(value);
    this.#context.used.note('order of lists');
    return this.#plain([...value].sort());
  }

  #addressOf(value: unknown): string {
    return typeof value === 'string' ? this.#names.address(value) : this.#plain(value);
  }

  /** Nested representations, each with its own identifiers and times. */
  #nested(value: unknown, reading: Reading): string {
    const all = [value].flat().map((one) => {
      if (typeof one !== 'object' || one === null) return this.#plain(one);
      const attributes = one as Readonly<Record<string, unknown>>;
      const resource = this.#resource(reading, attributes);
      // Representations show assigned names before addresses use them.
      const entries = Object.entries(attributes).sort(([a], [b]) => Number(isNested(b)) - Number(isNested(a)));
      const texts = entries.map(
        ([name, inner]) => `${name}: ${this.#value(name, inner, { reading, attributes, resource })}`,
      );
      return texts.sort().join(', ');
    });
    return all.sort().join('; ');
  }

  /** `ct`: now, or as this resource showed it before. */
  #creation(value: string, resource: string): string {
    const time = parseTimestamp(value);
    if (time === undefined) return 'no time';
    const before = this.#created.get(resource);
    if (before !== undefined) return time === before ? 'as before' : 'changed';
    this.#created.set(resource, time);
    const latest = this.#latest ?? time;
    if (time >= latest) this.#latest = time;
    return time < latest - tolerance ? 'before now' : 'now';
  }

  #children(list: readonly unknown[], request: number): string {
    this.#context.used.note('order of lists');
    this.#context.used.note('addresses');
    const children = list.map((one) => {
      if (typeof one !== 'object' || one === null) return this.#addressOf(one);
      const { nm, val, ...others } = one as Readonly<Record<string, unknown>>;
      const name =
        typeof nm === 'string' ? this.#names.name(nm, { isRequested: true, request }) : this.#plain(nm ?? absent);
      const kept = typeof val === 'string' ? this.#names.childIdentifier(val, request) : absent;
      return `${name} ${kept} ${this.#plain(others)}`;
    });
    return children.sort().join(', ');
  }

  /** As JSON, with sorted keys. */
  #plain(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(this.#names.text(value));
    if (Array.isArray(value)) return `[${value.map((one) => this.#plain(one)).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? absent;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${this.#plain(inner)}`).join(',')}}`;
  }
}

interface ValueContext {
  readonly reading: Reading;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: string;
}

/** Attributes and parameters with addresses: of a created resource, members, policies, and the responders of a fan-out. */
const ofAddresses: ReadonlySet<string> = new Set(['uri', 'mid', 'acpi', 'macp', 'fr', 'to']);

/** Attributes of a CSE base that change by what others do meanwhile, or with the time. */
const changing: ReadonlySet<string> = new Set(['ch', 'ct', 'ctm', 'lt', 'st']);

/** Representations, by their roots, and contents of primitives. */
const isNested = (name: string): boolean => name.includes(':') || name === 'pc';

/** Whether it is a representation whose root has no prefix: ACME writes m2m:rce so. */
const isRepresentation = (value: unknown): boolean => isObject(value) && typeof value.ri === 'string' && 'ty' in value;

/** Stands for a part that is missing. */
export const absent = 'absent';

function statusOf({ answer, failure }: Exchange): string {
  return answer === undefined ? `no answer (${failure?.kind ?? 'nothing came'})` : String(answer.status);
}

/** The response status code, of which each wire makes its own. */
function codeOf({ exchange, response: { view } }: Reading): string {
  return exchange.answer === undefined ? statusOf(exchange) : String(view.rsc ?? absent);
}

function shapeOf(body: unknown): string {
  if (body === undefined || body === '') return 'empty';
  if (Array.isArray(body)) return 'a JSON list';
  if (typeof body === 'string') return 'text that is not JSON';
  return typeof body === 'object' && body !== null ? 'a JSON object' : 'JSON, but no object';
}

/** Whether the request chose this name: it is in its body or its path. */
function isRequested({ exchange: { request } }: Reading, name: string): boolean {
  return (request.body ?? '').includes(JSON.stringify(name)) || request.path.split(/[/?]/).includes(pathSegment(name));
}

/** Microseconds of tolerance between times of one target, since some have only seconds. */
const tolerance = 1_000_000n;

/** `lt` and `et`: whether the time precedes the `ct` beside it. */
function sinceCreation(value: string, created: unknown): string {
  const time = parseTimestamp(value);
  if (time === undefined) return 'no time';
  const from = typeof created === 'string' ? parseTimestamp(created) : undefined;
  if (from === undefined) return 'a time';
  return time < from - tolerance ? 'before ct' : 'after ct';
}

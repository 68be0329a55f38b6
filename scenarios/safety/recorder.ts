import { isSuccess, neverArrived, viewOf } from '../engine/judging/answer.ts';
import { headersOf, isObject, jsonOf, onlyKey } from '../engine/judging/body.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { Site } from '../engine/running/ledger.ts';
import type { RequestMessage, Way } from '../engine/targets/target.ts';
import { type Address, meantBy, pathOf, pathsOfIdentifier } from './address.ts';
import { fanOutIn, membersIn } from './group-members.ts';
import type { Holdings } from './holdings.ts';
import type { ChangeLine, CreatingLine } from './ledger-line.ts';
import { addressOfFound } from './listing.ts';
import { isRead, type RequestLine } from './request-lines.ts';
import type { Rules } from './rules.ts';

export interface RecorderOptions {
  readonly holdings: Holdings;
  readonly rules: Rules;
  /** Keeps a line where a crash does not take it away; throws when it cannot. */
  readonly keep?: (line: ChangeLine) => void;
}

type After = (exchange: Exchange) => void;

/** Takes down what requests create and remove, before they are sent and when they are answered. */
export class Recorder {
  readonly #options: RecorderOptions;
  /** What the run itself said about announcements, which proves nothing. */
  readonly #said = new Set<string>();
  #number = 0;
  #changes = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Counts up with everything that is taken down: until then the rules say the same of a request. */
  get changes(): number {
    return this.#changes;
  }

  /** Before a request is sent: the answer is to be given to the function that comes back. */
  before(request: RequestMessage, on: Site, way: Way | undefined): After {
    const { method, path, body } = request;
    const sender = senderOf(request, on, way);
    if (isRead(method)) return (exchange) => this.#madeByTarget(path, sender, exchange);
    const sent = jsonOf(Buffer.from(body ?? []).toString('utf8'));
    for (const one of announcedIn(sent)) this.#said.add(one);
    const creating = method === 'POST' ? this.#begin(request, sender, sent) : undefined;
    this.#noteMembers(request, on, creating);
    return (exchange) => {
      if (method === 'DELETE') this.#removed(path, on, exchange);
      if (creating !== undefined) this.#created(creating, exchange);
      this.#madeByTarget(path, sender, exchange);
    };
  }

  /** What a fan-out creates lies below members of the run, and goes with them. */
  #begin(request: RequestMessage, sender: Sender, sent: unknown): CreatingLine | undefined {
    const { holdings } = this.#options;
    if (fanOutIn(meantBy(request.path, holdings.namesOf(sender.on))) !== undefined) return undefined;
    const name = attributesOf(sent)?.rn ?? headersOf(request).get('x-m2m-nm');
    const { posted: _, ...by } = sender;
    const line: CreatingLine = { ...this.#line(withoutQuery(request.path), by), ...(isName(name) && { name }) };
    this.#take(line);
    return line;
  }

  #line(parent: string, sender: Sender): CreatingLine {
    this.#number += 1;
    return { kind: 'creating', number: this.#number, in: parent, ...sender };
  }

  #noteMembers({ path, body, headers }: RequestMessage, on: Site, creating: CreatingLine | undefined): void {
    this.#changes += 1;
    const { holdings, rules } = this.#options;
    const members = membersIn(
      body,
      headers.some(([name]) => /^content-encoding$/i.test(name)),
    );
    const address = meantBy(path, holdings.namesOf(on));
    if (creating === undefined) {
      rules.noteMembers(members, fanOutIn(address) === undefined ? holdings.at(address) : undefined);
      return;
    }
    rules.noteMembers(members, holdings.numbered(creating.number));
    // The request may be refused because the name is taken, and then again it may not.
    const { name } = creating;
    const before = name === undefined ? undefined : holdings.at({ ...address, segments: [...address.segments, name] });
    if (before !== undefined) rules.noteMembers(members, before);
  }

  /** What exact bytes create nobody could take down, so that it has to lie below what is removed anyway. */
  objectionToBytes({ target }: RequestLine, on: Site): string | undefined {
    const { holdings } = this.#options;
    if (holdings.holds(meantBy(target, holdings.namesOf(on)))) return undefined;
    return 'nobody could tell what these bytes create below the CSE base';
  }

  #created(line: CreatingLine, exchange: Exchange): void {
    const { number } = line;
    const status = exchange.answer?.status;
    if (status === undefined ? neverArrived(exchange) : status >= 400 && status < 500)
      this.#take({ kind: 'refused', number });
    else if (!isSuccess(exchange)) this.#take({ kind: 'silent', number });
    else {
      const paths = this.#pathsIn(line, exchange);
      this.#take(paths.length === 0 ? { kind: 'silent', number } : { kind: 'created', number, paths });
    }
  }

  /** By the name that the answer tells, by the one that was asked for, by its identifier, and by where the answer says it is. */
  #pathsIn({ in: parent, name: wanted, on }: CreatingLine, exchange: Exchange): string[] {
    const { holdings } = this.#options;
    const names = holdings.namesOf(on);
    const above = meantBy(parent, names);
    const { attributes, headers } = viewOf(exchange);
    const told = isName(attributes?.rn) ? attributes.rn : undefined;
    const name = told ?? wanted;
    const segments = above.segments.length === 0 ? [names.base] : above.segments;
    const byName = name === undefined ? [] : [{ ...above, segments: [...segments, name] }];
    // An answer about something else than what was asked for tells nothing.
    const identifier = wanted === undefined || told === undefined || told === wanted ? attributes?.ri : undefined;
    const byIdentifier = isName(identifier) ? [this.#identified(identifier, above)] : [];
    const where = name === undefined ? [headers.get('content-location')].filter(isName) : [];
    const elsewhere = where.map((one) => addressOfFound(one, names));
    const all = [...byName, ...byIdentifier, ...elsewhere].filter((one) => one.segments.length > 0);
    return [...new Set(all.filter((one) => !holdings.isBase(one)).map((one) => pathOf(one, names)))];
  }

  /** An identifier of the CSE at which the parent is; some write it with the CSE, or as the whole path. */
  #identified(identifier: string, { cseId }: Address): Address {
    if (!identifier.includes('/')) return { cseId, segments: [identifier] };
    const address = addressOfFound(identifier, this.#options.holdings.namesOf('gateway'));
    return address.segments.length === 1 || this.#options.holdings.holds(address) ? address : { cseId, segments: [] };
  }

  #removed(path: string, on: Site, exchange: Exchange): void {
    const { holdings } = this.#options;
    const bare = withoutQuery(path);
    // What is not found in one form of its address may be there in another.
    const holding = holdings.at(meantBy(bare, holdings.namesOf(on)));
    const missing = exchange.answer?.status === 404 && holding?.paths[0] === bare;
    // 202: it is going to be removed, perhaps (TS-0009 6.3.2).
    const removed = isSuccess(exchange) && exchange.answer?.status !== 202;
    if (removed || missing) this.#take({ kind: 'gone', on, path: bare });
  }

  /** What the target makes of its own accord for something of the run belongs to the run. */
  #madeByTarget(path: string, sender: Sender, exchange: Exchange): void {
    if (!isSuccess(exchange)) return;
    const { holdings } = this.#options;
    const names = holdings.namesOf(sender.on);
    const found = [...this.#kept(exchange), ...this.#announcement(path, sender.on, exchange)];
    if (holdings.holds(meantBy(path, names)) || sender.posted) found.push(...this.#announced(exchange));
    for (const address of found) {
      if (address.segments.length === 0 || holdings.isBase(address) || holdings.holds(address)) continue;
      const { posted: _, ...by } = sender;
      const line = this.#line('/', by);
      this.#take(line);
      this.#take({ kind: 'created', number: line.number, paths: [pathOf(address, names)] });
    }
  }

  /** A request that is answered later (TS-0004 7.5.1.1: uri). */
  #kept(exchange: Exchange): Address[] {
    const { body } = viewOf(exchange);
    const uri = exchange.answer?.status === 202 && isObject(body) ? body['m2m:uri'] : undefined;
    return typeof uri === 'string' ? [addressOfFound(uri, this.#options.holdings.namesOf('gateway'))] : [];
  }

  /** Where something of the run has been announced stands in `at` (TS-0001 9.6.26). */
  #announced(exchange: Exchange): Address[] {
    const told = announcedIn(viewOf(exchange).body).filter((one) => !this.#said.has(one));
    return told.map((one) => meantBy(pathsOfIdentifier(one)[0] ?? '', this.#options.holdings.namesOf('gateway')));
  }

  /** An announced resource that is linked to something of the run, as it is read. */
  #announcement(path: string, on: Site, exchange: Exchange): Address[] {
    const { holdings } = this.#options;
    const { root = '', attributes } = viewOf(exchange);
    const { lnk, ri } = attributes ?? {};
    if (!/A$/.test(root) || typeof lnk !== 'string') return [];
    const original = meantBy(pathsOfIdentifier(lnk)[0] ?? '', holdings.namesOf(on));
    if (!holdings.holds(original)) return [];
    const read = meantBy(path, holdings.namesOf(on));
    return [read, ...(isName(ri) && !ri.includes('/') ? [{ ...read, segments: [ri] }] : [])];
  }

  #take(line: ChangeLine): void {
    this.#changes += 1;
    this.#options.keep?.(line);
    this.#options.holdings.take(line);
  }
}

/** Who sends a request, so that what comes of it can be removed in the same way. */
interface Sender extends Pick<CreatingLine, 'on' | 'originator' | 'certificate'> {
  readonly posted?: boolean;
}

function senderOf(request: RequestMessage, on: Site, way: Way | undefined): Sender {
  const originator = headersOf(request).get('x-m2m-origin');
  return {
    on,
    ...(originator !== undefined && { originator }),
    ...(way?.certificate && { certificate: way.certificate.name }),
    ...(request.method === 'POST' && { posted: true }),
  };
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

function attributesOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const root = onlyKey(body);
  const inner = root !== undefined && isObject(body) ? body[root] : undefined;
  return isObject(inner) ? inner : undefined;
}

function announcedIn(body: unknown): string[] {
  const at = attributesOf(body)?.at;
  return Array.isArray(at) ? at.filter((one) => typeof one === 'string') : [];
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '.' && value !== '..';
}

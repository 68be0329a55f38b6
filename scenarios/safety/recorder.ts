import { headersOf, innerOf, jsonOf } from '../engine/basics/body.ts';
import { defined } from '../engine/basics/defined.ts';
import { isSuccess, leavesOpen, neverArrived, viewOf } from '../engine/judging/answer.ts';
import { type Address, addressOfFound, pathOf, pathsOfIdentifier, resolveAddress } from '../engine/messages/address.ts';
import type { RequestMessage, Way } from '../engine/messages/target.ts';
import { isRead } from '../engine/messages/target.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { MemberName } from '../engine/targets/installation.ts';
import type { Holding, Holdings, Ownership } from './holdings.ts';
import type { ChangeLine, CreatingLine } from './ledger-line.ts';
import { isName, keptRequestIn, reportedPaths, strayIn } from './reported-paths.ts';
import type { RequestLine } from './request-lines.ts';
import { fanOutIn, membersIn, type Rules } from './rules.ts';

export interface RecorderOptions {
  readonly holdings: Holdings;
  readonly rules: Rules;
  /** Keeps a line safe from a crash; throws if it cannot. */
  readonly keep?: (line: ChangeLine) => void;
}

/** Records what requests create and remove, before they are sent and when they are answered. */
export class LedgerRecorder {
  readonly #options: RecorderOptions;
  /** Announcements that the run itself named, which prove nothing. */
  readonly #ownAnnouncements = new Set<string>();
  /** Holdings that an answer to their removal leaves open. */
  readonly #doubtful = new Set<Holding | undefined>();
  /** Resources that answers named without a request of the run, so left alone; as sentences. */
  readonly strays: string[] = [];
  #number = 0;
  /** Counts everything recorded: until it changes, the rules say the same of a request. */
  changes = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Call it before a request is sent, and the returned function with the answer. */
  before(request: RequestMessage, on: MemberName, way: Way | undefined): (exchange: Exchange) => void {
    const { method, path, body } = request;
    const sender = senderOf(request, on, way);
    if (isRead(method))
      return (exchange) => {
        this.#noteMissing(path, on, exchange);
        this.#madeByTarget(request, sender, exchange);
      };
    const sent = jsonOf(Buffer.from(body ?? []).toString('utf8'));
    for (const one of announcedIn(sent)) this.#ownAnnouncements.add(one);
    const creating = method === 'POST' ? this.#begin(request, sender, sent) : undefined;
    this.#noteMembers(request, on, creating);
    return (exchange) => {
      if (method === 'DELETE') this.#removed(path, on, exchange);
      if (creating !== undefined) this.#created(creating, exchange);
      this.#madeByTarget(request, sender, exchange);
    };
  }

  /** What a fan-out creates is below members of the run, and goes with them. */
  #begin(request: RequestMessage, sender: Sender, sent: unknown): CreatingLine | undefined {
    if (fanOutIn(this.#resolve(request.path, sender.on)) !== undefined) return undefined;
    const name = nameIn(request, sent);
    const line: CreatingLine = { ...this.#line(withoutQuery(request.path), sender), ...(isName(name) && { name }) };
    this.#record(line);
    return line;
  }

  #line(parent: string, sender: Sender): CreatingLine {
    this.#number += 1;
    return { kind: 'creating', number: this.#number, in: parent, ...sender };
  }

  #noteMembers(request: RequestMessage, on: MemberName, creating: CreatingLine | undefined): void {
    this.changes += 1;
    const { path, body, headers } = request;
    const { holdings, rules } = this.#options;
    const isEncoded = headers.some(([name]) => /^content-encoding$/i.test(name));
    const members = membersIn(body, isEncoded);
    const address = this.#resolve(path, on);
    if (creating === undefined) {
      rules.noteMembers(members, fanOutIn(address) === undefined ? holdings.at(address) : undefined);
      return;
    }
    rules.noteMembers(members, holdings.numbered(creating.number));
    if (!hasCertainName(request)) rules.noteMembers(members, undefined);
    // The request may be refused because the name is taken, or may not.
    const { name } = creating;
    const before = name === undefined ? undefined : holdings.at({ ...address, segments: [...address.segments, name] });
    if (before !== undefined) rules.noteMembers(members, before);
  }

  /** What exact bytes create cannot be recorded, so it has to be below what is removed anyway. */
  objectionToBytes({ target }: RequestLine, on: MemberName): string | undefined {
    const { holdings } = this.#options;
    if (holdings.holds(this.#resolve(target, on))) return undefined;
    return 'nobody could tell what these bytes create below the CSE base';
  }

  /** What is created directly below a CSE base has to be recognizable as the run's: by its name or its content. */
  objectionToName(request: RequestMessage, on: MemberName): string | undefined {
    const { holdings } = this.#options;
    if (request.method !== 'POST' || !holdings.isBase(this.#resolve(request.path, on))) return undefined;
    const text = Buffer.from(request.body ?? []).toString('utf8');
    const name = nameIn(request, jsonOf(text));
    if (!isName(name) || holdings.isLabelled(name) || holdings.isLabelled(text)) return undefined;
    return `it would create ${name} below the CSE base, a name that nobody could tell from those of others; begin it with \${name}`;
  }

  #created(line: CreatingLine, exchange: Exchange): void {
    const { number } = line;
    const status = exchange.answer?.status;
    if (status === undefined ? neverArrived(exchange) : status >= 400 && status < 500)
      this.#record({ kind: 'refused', number });
    else if (!isSuccess(exchange)) this.#record({ kind: 'silent', number });
    else {
      this.strays.push(...strayIn(line, exchange, this.#options.holdings));
      const paths = reportedPaths(line, exchange, this.#options.holdings);
      this.#record(
        paths.length === 0 && line.name === undefined ? { kind: 'silent', number } : { kind: 'created', number, paths },
      );
    }
  }

  /** What the target said to have removed is there: it has to be removed again. */
  stillThere(path: string, on: MemberName): void {
    const { holdings } = this.#options;
    const address = this.#resolve(path, on);
    const removed = holdings.removedAt(address);
    if (removed === undefined || holdings.at(address) !== undefined) return;
    this.#number += 1;
    this.#record({ ...removed, number: this.#number });
    this.#record({ kind: 'created', number: this.#number, paths: [path] });
  }

  /** A read of an address from an answer has shown something else. */
  refuted({ holding: { line }, path }: Ownership): void {
    this.strays.push(`${line.in}/${line.name ?? ''} was answered by ${path}, where something else stands`);
  }

  /** A read has shown what a target said. */
  proved({ holding, path }: Ownership): void {
    this.#record({ kind: 'proved', number: holding.line.number, path });
  }

  #removed(path: string, on: MemberName, exchange: Exchange): void {
    const bare = withoutQuery(path);
    // 202: it may be removed later (TS-0009 6.3.2).
    if (isSuccess(exchange) && exchange.answer?.status !== 202) this.#record({ kind: 'gone', on, path: bare });
    else if (leavesOpen(exchange)) this.#doubtful.add(this.#options.holdings.at(this.#resolve(bare, on)));
  }

  /** What neither its removal nor a read by its name finds is gone. */
  #noteMissing(path: string, on: MemberName, exchange: Exchange): void {
    const bare = withoutQuery(path);
    const holding = this.#options.holdings.at(this.#resolve(bare, on));
    const missing = exchange.answer?.status === 404 && holding?.paths[0] === bare && this.#doubtful.has(holding);
    if (missing) this.#record({ kind: 'gone', on, path: bare });
  }

  #resolve(path: string, on: MemberName): Address {
    return resolveAddress(path, this.#options.holdings.namesOf(on));
  }

  /** What the target creates by itself for something of the run belongs to the run. */
  #madeByTarget({ method, path }: RequestMessage, sender: Sender, exchange: Exchange): void {
    if (!isSuccess(exchange)) return;
    const { holdings } = this.#options;
    const names = holdings.namesOf(sender.on);
    const found = [...this.#keptRequests(exchange), ...this.#announcement(path, sender.on, exchange)];
    if (holdings.holds(resolveAddress(path, names)) || method === 'POST') found.push(...this.#announced(exchange));
    for (const address of found) {
      if (address.segments.length === 0 || holdings.isBase(address) || holdings.holds(address)) continue;
      if (holdings.claimAbove(address) !== undefined) continue;
      const line = this.#line('/', sender);
      this.#record(line);
      this.#record({ kind: 'created', number: line.number, paths: [pathOf(address, names)] });
    }
  }

  #keptRequests(exchange: Exchange): Address[] {
    const uri = keptRequestIn(exchange);
    return uri === undefined ? [] : [addressOfFound(uri, this.#options.holdings.namesOf('gateway'))];
  }

  /** `at` says where something of the run has been announced (TS-0001 9.6.26). */
  #announced(exchange: Exchange): Address[] {
    const announced = announcedIn(viewOf(exchange).body).filter((one) => !this.#ownAnnouncements.has(one));
    return announced.map((one) => this.#resolve(pathsOfIdentifier(one)[0] ?? '', 'gateway'));
  }

  /** An announced resource, as read, that is linked to something of the run. */
  #announcement(path: string, on: MemberName, exchange: Exchange): Address[] {
    const { holdings } = this.#options;
    const { root = '', attributes } = viewOf(exchange);
    const { lnk, ri } = attributes ?? {};
    if (!/A$/.test(root) || typeof lnk !== 'string') return [];
    const original = this.#resolve(pathsOfIdentifier(lnk)[0] ?? '', on);
    if (!holdings.holds(original)) return [];
    const read = this.#resolve(path, on);
    return [read, ...(isName(ri) && !ri.includes('/') ? [{ ...read, segments: [ri] }] : [])];
  }

  #record(line: ChangeLine): void {
    this.changes += 1;
    this.#options.keep?.(line);
    this.#options.holdings.record(line);
  }
}

/** The sender of a request, so that what it creates can be removed in the same way. */
type Sender = Pick<CreatingLine, 'on' | 'originator' | 'certificate'>;

function senderOf(request: RequestMessage, on: MemberName, way: Way | undefined): Sender {
  const originator = headersOf(request).get('x-m2m-origin');
  const certificate = way?.certificate?.name;
  return { on, ...defined({ originator, certificate }) };
}

/** The requested name, from the body, or from a header of former releases. */
function nameIn(request: RequestMessage, sent: unknown): unknown {
  return innerOf(sent)?.rn ?? headersOf(request).get('x-m2m-nm');
}

/** Whether all servers read the same name, or none. */
function hasCertainName(request: RequestMessage): boolean {
  const text = Buffer.from(request.body ?? []).toString('utf8');
  const named = text.match(/"rn"\s*:|\\u00/g)?.length ?? 0;
  return innerOf(jsonOf(text)) !== undefined && named <= (headersOf(request).has('x-m2m-nm') ? 0 : 1);
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

function announcedIn(body: unknown): string[] {
  const at = innerOf(body)?.at;
  return Array.isArray(at) ? at.filter((one) => typeof one === 'string') : [];
}

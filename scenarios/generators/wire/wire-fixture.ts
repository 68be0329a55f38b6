import { UsageError } from '../../engine/basics/diagnostics.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import { isSuccess, neverArrived, summaryOf } from '../../engine/judging/answer.ts';
import { prepare } from '../../engine/messages/request.ts';
import type { HeaderList } from '../../engine/messages/target.ts';
import { type HeaderSender, headerList, senderHeaders, usualHeaders } from '../../engine/messages/usual-headers.ts';
import { withUsual } from '../../engine/messages/wire.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { lifeAtBase } from '../../engine/targets/lifetime.ts';
import { unclaimed } from '../../ics/ics.ts';
import type { CampaignEnd } from '../search/campaign.ts';
import {
  type MainInstallation,
  type OpeningOptions,
  openMain,
  type Unreachable,
  unlessUnknown,
} from '../search/session.ts';
import { bytesOf, reading, sentinelOf, type WireTarget } from './listed/wire-case.ts';
import { attributesIn, converse, isOfSentinel, sentinelName, trapName, turnOf } from './sentinel.ts';

type FixtureStep = Extract<Step, { create: unknown } | { retrieve: unknown } | { delete: unknown }>;

/** An unwanted change. */
export interface Changed {
  /** Path below the application entity: empty for itself. */
  readonly below: '' | '/c';
  /** Absent if the whole resource is gone. */
  readonly attribute?: string;
}

/** Why nothing can be explored. */
export interface Hindrance {
  readonly reason: string;
  /** True if no connection is possible any more. */
  readonly lost: boolean;
}

const noNames = new Map();
/** Milliseconds for the first sentinel. */
const sentinelTime = 5000;
const resources = ['', '/c'] as const;
const containers = ['c', sentinelName, trapName];

/** An application entity with a container, made for the exploration, and its representation. */
export class WireFixture {
  readonly paths: WireTarget;
  readonly originator: string | undefined;
  readonly #session: WireSession;
  /** Path of the application entity, without that of the target's URL. */
  readonly #path: string;
  readonly #name: string;
  readonly #run: string;
  /** Its last representation; undefined if it has to be made anew. */
  #seen: readonly string[] | undefined;
  /** What `change` found last. */
  changed: Changed | undefined;
  /** Milliseconds of the slowest answer so far. */
  slowest = 0;
  #requests = 0;
  #isSound = false;

  constructor(session: WireSession, label: string) {
    const { gateway, originator, dialect } = session.installation;
    const { url, base } = gateway.description;
    const { host, pathname } = new URL(url);
    this.#session = session;
    this.#run = label;
    this.#name = `${label}-w`;
    this.#path = `/${base}/${this.#name}`;
    this.originator = originator ?? (dialect === 'onem2m' ? `C${label}` : undefined);
    const application = pathname.replace(/\/+$/, '') + this.#path;
    const contentType = headerList(usualHeaders(this.#sender(), { ty: 4 })).find(([name]) => name === 'Content-Type');
    this.paths = {
      host,
      application,
      container: `${application}/c`,
      sentinel: `${application}/${sentinelName}`,
      trap: `${application}/${trapName}`,
      usual: this.#usual().map(([name, value]) => `${name}: ${value}`),
      contentType: contentType?.[1] ?? '',
    };
  }

  /** Makes it anew if needed. */
  async prepare(): Promise<Hindrance | undefined> {
    if (this.#seen !== undefined) return undefined;
    await this.#ask({ delete: this.#path });
    const hindrance = (await this.#made()) ?? (await this.#objectionToSound());
    if (hindrance !== undefined) return hindrance;
    this.#seen = await this.#look();
    return this.#seen === undefined ? { reason: 'what was created cannot be read', lost: false } : undefined;
  }

  /** How it has changed since `prepare`; read over new connections. */
  async change(): Promise<'no answer' | 'changed' | 'unchanged'> {
    const before = this.#seen;
    this.#seen = await this.#look();
    if (this.#seen === undefined || before === undefined) return 'no answer';
    const at = this.#seen.findIndex((one, index) => one !== before[index]);
    if (at < 0) return 'unchanged';
    this.changed = { below: resources[at] ?? '', ...differing(before[at], this.#seen[at]) };
    this.#seen = undefined;
    return 'changed';
  }

  async remove(): Promise<void> {
    await this.#ask({ delete: this.#path });
  }

  async #made(): Promise<Hindrance | undefined> {
    const base = `/${this.#session.installation.gateway.description.base}`;
    const below = containers.map((rn) => ({ create: 'container', in: this.#path, attributes: { rn } }) as const);
    for (const step of [{ create: 'ae', in: base, attributes: this.#attributes() } as const, ...below]) {
      const exchange = await this.#ask(step);
      if (exchange === undefined) return { reason: `POST ${step.in} may not be sent`, lost: false };
      if (isSuccess(exchange)) continue;
      return { reason: `POST ${step.in}: ${summaryOf(exchange)}`, lost: neverArrived(exchange) };
    }
    return undefined;
  }

  /** A well-formed request in the same bytes has to be served; otherwise a refusal of malformed ones would say nothing. */
  async #objectionToSound(): Promise<Hindrance | undefined> {
    if (this.#isSound) return undefined;
    const { installation, way } = this.#session;
    const request = { bytes: Buffer.from(bytesOf(reading(this.paths)), 'latin1') };
    const objection = await installation.gateway.objection(request, way);
    if (objection !== undefined) return { reason: objection, lost: false };
    const exchange = await installation.gateway.send(request, way);
    if (isSuccess(exchange)) return this.#objectionToSentinel();
    return { reason: `a sound GET ${this.paths.container}: ${summaryOf(exchange)}`, lost: neverArrived(exchange) };
  }

  /** A sentinel like other answers would say nothing. */
  async #objectionToSentinel(): Promise<Hindrance | undefined> {
    const { answers } = await converse(this.#session, [turnOf(sentinelOf(this.paths), sentinelTime)]);
    this.#isSound = answers[0] !== undefined && isOfSentinel(answers[0]);
    return this.#isSound ? undefined : { reason: `GET ${this.paths.sentinel} does not show its rn`, lost: false };
  }

  #attributes(): Record<string, string | boolean | string[]> {
    const { dialect, lifetime, release } = this.#session.installation;
    const own =
      dialect === 'onem2m' ? { rr: true, ...(!/^(1|2|2a)$/.test(release) && { srv: [release] }) } : { rr: 'TRUE' };
    return { rn: this.#name, api: 'Nwire', ...own, ...lifeAtBase(lifetime) };
  }

  /** Undefined if one of the two is unanswered, or answered by a failure. */
  async #look(): Promise<readonly string[] | undefined> {
    const { installation, ics } = this.#session;
    // TS-0004, table 7.5.2-1: the attributes and references to the children.
    const all = installation.dialect === 'onem2m' && unclaimed(ics ?? claimsAll, ['PICS_RESULT_CONTENT']) === undefined;
    const bodies: string[] = [];
    for (const below of resources) {
      const exchange = await this.#ask({ retrieve: this.#path + below, ...(all && { query: { rcn: 5 } }) });
      const { answer } = exchange ?? {};
      if (answer === undefined || answer.status >= 500) return undefined;
      bodies.push(`${answer.status} ${answer.body}`);
    }
    return bodies;
  }

  /** Undefined if it may not be sent. Each over its own connection. */
  async #ask(step: FixtureStep): Promise<Exchange | undefined> {
    const { installation, way } = this.#session;
    const { gateway } = installation;
    const request = prepare(step as Step & FixtureStep, noNames, this.#sender());
    if ('bytes' in request || (await gateway.objection(request, way)) !== undefined) return undefined;
    const exchange = await gateway.send(request, { ...way, alone: true });
    this.slowest = Math.max(this.slowest, exchange.took);
    return exchange;
  }

  #usual(): HeaderList {
    const { dialect } = this.#session.installation;
    const own = headerList(dialect === 'onem2m' ? usualHeaders(this.#sender()) : senderHeaders(this.#sender()));
    return withUsual(own, this.#session.headers);
  }

  #sender(): HeaderSender {
    const { dialect, release } = this.#session.installation;
    const requestIdentifier = () => `${this.#run}-r${++this.#requests}`;
    return { originator: this.originator, speech: { dialect, release, requestIdentifier } };
  }
}

const claimsAll = { of: '', claims: {} };

/** The first attribute that differs in two representations, each behind its status. */
function differing(before = '', after = ''): Pick<Changed, 'attribute'> {
  const [one, other] = [before, after].map((seen) => attributesIn(seen.replace(/^\d+ /, '')));
  if (one === undefined || other === undefined) return {};
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const attribute = names.find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  return attribute === undefined ? {} : { attribute };
}

/** Makes a fixture for an exploration, removed at the end. */
export async function withFixture<T>(
  session: WireSession,
  label: string,
  use: (fixture: WireFixture) => Promise<T>,
): Promise<T> {
  const fixture = new WireFixture(session, label);
  return use(fixture).finally(() => fixture.remove());
}

/** The end of a campaign by it; `what` cannot be done. */
export function hinderedBy(hindrance: Hindrance | undefined, what: string): Pick<CampaignEnd, 'lost' | 'nothing'> {
  if (hindrance === undefined) return {};
  const { reason, lost } = hindrance;
  return lost ? { lost: reason } : { nothing: `the target cannot be ${what}: ${reason}` };
}

/** A target with a socket. */
export interface WireSession extends MainInstallation {
  /** Sent with every request. */
  readonly headers: HeaderList;
}

/** The reference CSE listens at a loopback port. Rejects with a UsageError for unusable options. */
export async function openWireSession(
  options: Omit<OpeningOptions, 'connections'>,
): Promise<WireSession | Unreachable> {
  const { target } = options;
  if (target.kind === 'fetch') throw new UsageError('malformed bytes need a socket, and a function has none');
  const listening = target.kind === 'in-process' ? ({ ...target, kind: 'embedded' } as const) : target;
  const main = await unlessUnknown(openMain({ ...options, target: listening, connections: 1 }));
  return 'unreachable' in main ? main : { ...main, headers: (target.kind === 'url' && target.headers) || [] };
}

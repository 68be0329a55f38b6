import { headerOf } from '../engine/basics/body.ts';
import { viewOf, viewOfRequest } from '../engine/judging/answer.ts';
import { maskedHeaders } from '../engine/messages/display.ts';
import type { TargetDescription } from '../engine/results/result.ts';
import { type Actors, type Listeners, relativeHeaders } from './adapt-requests.ts';
import { type EventNotification, lookFor } from './notifications.ts';
import { type Literals, placeholder, withCaptures } from './placeholders.ts';
import type { ProxyEntry } from './proxy.ts';
import { meaningOf, outcomeCheck, type RecordedFrom, type StepMeaning } from './step-of.ts';

/** Parameters that need a feature of the target; in the path they do not, as the answer was recorded. */
const ofFeatures = ['rcn', 'atrl', 'rt'];

interface Context extends RecordedFrom {
  readonly listeners: Listeners;
  readonly literals: Literals;
  readonly actors: Actors;
  readonly description: Pick<TargetDescription, 'base' | 'cseId' | 'spId'>;
}

interface WrittenStep {
  readonly step: object;
  /** Names for attributes of its answer, in case later steps need them. */
  readonly captures: Readonly<Record<string, string>>;
}

/** Headers that the engine sends itself, or that belong to the connection. */
const usual =
  /^(host|connection|content-length|user-agent|accept|accept-encoding|accept-language|content-type|x-m2m-(origin|ri|rvi)|date|transfer-encoding|expect|te|origin|referer|sec-.*|cache-control|pragma)$/;

/** The steps of a scenario, from recorded exchanges in order. */
export class RecordedSteps {
  readonly comments = new Map<number, string>();
  /** Whether any step checks notifications. */
  areNotified = false;
  readonly #context: Context;
  readonly #steps: WrittenStep[] = [];
  #resources = 0;

  constructor(context: Context) {
    this.#context = context;
    for (const [text, name] of context.actors.literals()) context.literals.add(text, name);
  }

  add(passed: ProxyEntry): void {
    const meaning = meaningOf(passed, this.#context.dialect);
    const step = { ...this.#request(passed, meaning), ...this.#outcome(passed, meaning) };
    this.#steps.push({ step, captures: this.#captures(passed, meaning) });
  }

  /** Adds steps for notifications after the last request. */
  addNotified(all: readonly EventNotification[]): void {
    const { listeners, literals } = this.#context;
    for (const inbox of new Set(all.map(({ url }) => listeners.inboxOf(url)))) {
      const events = all.filter(({ url }) => listeners.inboxOf(url) === inbox);
      if (inbox === undefined) continue;
      this.areNotified = true;
      this.#steps.push({ step: literals.replacedIn(lookFor(inbox, events, this.#context)) as object, captures: {} });
    }
  }

  /** The steps with only those captures that later steps use. */
  finished(): object[] {
    const { used } = this.#context.literals;
    return this.#steps.map(({ step, captures }) => withCaptures(step, captures, used));
  }

  #request(passed: ProxyEntry, meaning: StepMeaning): Record<string, unknown> {
    const { literals, actors, listeners } = this.#context;
    const as = actors.nameOf(viewOfRequest(passed.request).headers.get('x-m2m-origin'));
    const by = as === undefined ? {} : { as };
    if (meaning.does === 'raw') return { raw: this.#raw(passed), ...by };
    const [bare = '', search = ''] = passed.request.path.split('?');
    const claiming = meaning.does === 'retrieve' && ofFeatures.some((name) => new URLSearchParams(search).has(name));
    const query = claiming ? {} : queryOf(search);
    const path = this.#address(bare) + (claiming ? `?${literals.replaced(search)}` : '');
    const others = this.#headers(passed);
    if (meaning.does === 'discover') {
      const { fu: _fu, ...where } = query;
      return { discover: path, where: literals.replacedIn(where), ...others, ...by };
    }
    const queryPart = Object.keys(query).length === 0 ? {} : { query: literals.replacedIn(query) };
    const rest = { ...queryPart, ...others, ...by };
    if (!('kind' in meaning)) return { [meaning.does]: path, ...rest };
    const { does, kind, root } = meaning;
    if (does === 'create') this.#nameNew(bare, meaning.attributes.rn);
    const attributes = literals.replacedIn(listeners.adapted(meaning.attributes, endOf(passed)));
    const content = { ...(root !== undefined && { root }), attributes, ...rest };
    return does === 'create' ? { create: kind, in: path, ...content } : { update: path, kind, ...content };
  }

  /** A resource directly below the CSE base gets a unique name. */
  #nameNew(parent: string, name: unknown): void {
    if (typeof name !== 'string' || this.#address(parent) !== `/${placeholder('base')}`) return;
    this.#resources += 1;
    const unique = this.#resources === 1 ? '' : `-${this.#resources}`;
    this.#context.literals.add(name, placeholder('name') + unique);
  }

  #raw(passed: ProxyEntry): object {
    const { literals } = this.#context;
    const { method, path, body: text = '' } = passed.request;
    const [bare = '', search] = path.split('?');
    const target = this.#address(bare) + (search === undefined ? '' : `?${search}`);
    const type = headerOf(passed.request.headers, 'content-type');
    const isText = Buffer.from(text, 'utf8').equals(passed.sent) && !text.includes(placeholder('').slice(0, 2));
    const body = isText ? literals.replaced(text) : { hex: passed.sent.toString('hex') };
    const headers = { ...(type && { 'Content-Type': type }), ...this.#headers(passed).headers };
    const some = Object.keys(headers).length > 0 && { headers };
    return { method, path: target, ...some, ...(passed.sent.length > 0 && { body }) };
  }

  /** Headers that the engine does not send itself, without secrets. */
  #headers(passed: ProxyEntry): { readonly headers?: Record<string, string> } {
    const own = relativeHeaders(passed.request.headers, endOf(passed)).filter(([name]) => !usual.test(name));
    const open = maskedHeaders(own).filter(([, value]) => value !== '***');
    return open.length === 0 ? {} : { headers: Object.fromEntries(open) };
  }

  /** A path with placeholders for the CSE base and the identifiers of the target. */
  #address(path: string): string {
    const { base, cseId, spId } = this.#context.description;
    const [form, ...rest] = path.split('/').slice(1);
    const names = Object.entries({ base, cse: cseId, sp: spId });
    const depth = form === '~' ? 2 : form === '_' ? 3 : 1;
    const segments = [form ?? '', ...rest].map((segment, at) => {
      const [known] = (at < depth && names.find(([, text]) => text === segment)) || [];
      return known === undefined ? this.#context.literals.replaced(segment) : placeholder(known);
    });
    return `/${segments.join('/')}`;
  }

  #outcome(passed: ProxyEntry, meaning: StepMeaning): object {
    const { status } = passed.answer;
    const expect = status >= 400 ? { expect: 'refusal' } : {};
    const check = outcomeCheck(passed, meaning, this.#context);
    if (check !== undefined) return { ...expect, check };
    const code = viewOf(passed).headers.get('x-m2m-rsc');
    const answered = `answered ${status}${code === undefined ? '' : `, RSC ${code}`}`;
    this.comments.set(this.#steps.length, `${answered}; no check yet`);
    return expect;
  }

  /** Identifiers and names that the target assigned. */
  #captures(passed: ProxyEntry, meaning: StepMeaning): Record<string, string> {
    const { attributes } = viewOf(passed);
    if (meaning.does !== 'create' || passed.answer.status >= 300 || attributes === undefined) return {};
    const number = this.#steps.length + 1;
    const found: Record<string, string> = {};
    for (const attribute of ['ri', 'aei', 'rn'] as const) {
      const value = attributes[attribute];
      if (typeof value !== 'string' || value === meaning.attributes.rn) continue;
      const name = `${attribute}-${number}`;
      this.#context.literals.add(value, placeholder(name));
      found[name] = attribute;
    }
    return found;
  }
}

/** Milliseconds since 1970 UTC. */
function endOf({ at, took }: ProxyEntry): number {
  return at + took;
}

function queryOf(search: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const known = query.get(name);
    query.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(query);
}

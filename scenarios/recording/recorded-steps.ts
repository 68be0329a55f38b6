import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { viewOf, viewOfRequest } from '../engine/judging/answer.ts';
import { maskedHeaders } from '../engine/messages/display.ts';
import type { TargetDescription } from '../engine/results/result.ts';
import { type Actors, type Listeners, relativeHeaders } from './adapt-requests.ts';
import { type EventNotification, lookFor } from './notifications.ts';
import { type Literals, placeholder, withCaptures } from './placeholders.ts';
import type { ProxyEntry } from './proxy.ts';
import { meaningOf, outcomeCheck, type StepMeaning } from './step-of.ts';

/** Parameters by which a feature is taken for granted; what was answered needs nobody to claim it. */
const ofFeatures = ['rcn', 'atrl', 'rt'];

interface Context {
  readonly listeners: Listeners;
  readonly literals: Literals;
  readonly actors: Actors;
  readonly description: Pick<TargetDescription, 'base' | 'cseId' | 'spId'>;
  readonly dialect: Dialect;
  readonly catalogue: Catalogue;
  readonly isOverHttp: boolean;
}

interface WrittenStep {
  readonly step: object;
  /** Names for attributes of its answer, as long as nobody knows whether they are needed. */
  readonly captures: Readonly<Record<string, string>>;
}

/** Headers that the engine sends by itself, or that belong to the connection. */
const usual =
  /^(host|connection|content-length|user-agent|accept|accept-encoding|accept-language|content-type|x-m2m-(origin|ri|rvi)|date|transfer-encoding|expect|te|origin|referer|sec-.*|cache-control|pragma)$/;

/** The steps of a scenario, made from what passed, in its order. */
export class RecordedSteps {
  readonly comments = new Map<number, string>();
  /** Whether any looks for notifications. */
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

  /** What came to applications after the last request. */
  addNotified(all: readonly EventNotification[]): void {
    const { listeners, literals } = this.#context;
    for (const inbox of new Set(all.map(({ url }) => listeners.inboxOf(url)))) {
      const events = all.filter(({ url }) => listeners.inboxOf(url) === inbox);
      if (inbox === undefined) continue;
      this.areNotified = true;
      this.#steps.push({ step: literals.replacedIn(lookFor(inbox, events, this.#context)) as object, captures: {} });
    }
  }

  /** With the captures that later steps use, and no others. */
  finished(): object[] {
    const { used } = this.#context.literals;
    return this.#steps.map(({ step, captures }) => withCaptures(step, captures, used));
  }

  #request(passed: ProxyEntry, meaning: StepMeaning): Record<string, unknown> {
    const { literals, actors } = this.#context;
    const as = actors.nameOf(viewOfRequest(passed.request).headers.get('x-m2m-origin'));
    const by = as === undefined ? {} : { as };
    if (meaning.does === 'raw') return { raw: this.#raw(passed), ...by };
    const [bare = '', search = ''] = passed.request.path.split('?');
    const claiming = meaning.does === 'retrieve' && ofFeatures.some((name) => new URLSearchParams(search).has(name));
    const query = claiming ? {} : queryOf(search);
    const path = this.#address(bare) + (claiming ? `?${literals.replaced(search)}` : '');
    const others = this.#headers(passed);
    const queryPart = Object.keys(query).length === 0 ? {} : { query: literals.replacedIn(query) };
    const rest = { ...queryPart, ...others, ...by };
    if (meaning.does === 'discover') {
      const { fu: _fu, ...where } = query;
      return { discover: path, where: literals.replacedIn(where), ...others, ...by };
    }
    if (!('kind' in meaning)) return { [meaning.does]: path, ...rest };
    const { does, kind, root } = meaning;
    if (does === 'create') this.#nameNew(bare, meaning.attributes.rn);
    const content = { ...(root !== undefined && { root }), attributes: this.#attributes(meaning.attributes, passed) };
    return does === 'create'
      ? { create: kind, in: path, ...content, ...rest }
      : { update: path, kind, ...content, ...rest };
  }

  #attributes(attributes: Readonly<Record<string, unknown>>, passed: ProxyEntry): unknown {
    const { literals, listeners } = this.#context;
    return literals.replacedIn(listeners.adapted(attributes, endOf(passed)));
  }

  /** What is created directly below the CSE base gets a name that nobody else has. */
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
    const type = viewOfRequest(passed.request).headers.get('content-type');
    const isText = Buffer.from(text, 'utf8').equals(passed.sent) && !text.includes(placeholder('').slice(0, 2));
    const body = isText ? literals.replaced(text) : { hex: passed.sent.toString('hex') };
    const headers = { ...(type && { 'Content-Type': type }), ...this.#headers(passed).headers };
    return {
      method,
      path: target,
      ...(Object.keys(headers).length > 0 && { headers: headers }),
      ...(passed.sent.length > 0 && { body }),
    };
  }

  /** What the engine would not send by itself. A secret stays out, and the file does not tell it. */
  #headers(passed: ProxyEntry): { readonly headers?: Record<string, string> } {
    const own = relativeHeaders(passed.request.headers, endOf(passed)).filter(([name]) => !usual.test(name));
    const open = maskedHeaders(own).filter(([, value]) => value !== '***');
    return open.length === 0 ? {} : { headers: Object.fromEntries(open) };
  }

  /** With names for the CSE base and the identifiers of the target. */
  #address(path: string): string {
    const { base, cseId, spId } = this.#context.description;
    const [form, ...rest] = path.split('/').slice(1);
    const names: Array<readonly [string, string]> = [
      [base, placeholder('base')],
      [cseId, placeholder('cse')],
      [spId, placeholder('sp')],
    ];
    const depth = form === '~' ? 2 : form === '_' ? 3 : 1;
    const segments = [form ?? '', ...rest].map((segment, at) => {
      const known = at < depth ? names.find(([text]) => text === segment) : undefined;
      return known?.[1] ?? this.#context.literals.replaced(segment);
    });
    return `/${segments.join('/')}`;
  }

  #outcome(passed: ProxyEntry, meaning: StepMeaning): object {
    const { status } = passed.answer;
    const expect = status >= 400 ? { expect: 'refusal' } : {};
    const check = outcomeCheck(passed, meaning, this.#context);
    if (check !== undefined) return { ...expect, check };
    const code = viewOf(passed).headers.get('x-m2m-rsc');
    this.comments.set(
      this.#steps.length,
      `answered ${status}${code === undefined ? '' : `, RSC ${code}`}; no check yet`,
    );
    return expect;
  }

  /** What the target made up: identifiers, and names that were not asked for. */
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

import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Exchange } from '../../engine/messages/exchange.ts';
import type { HeaderList, Target } from '../../engine/targets/target.ts';
import type { Place } from './wire-case.ts';

export interface PlaceOptions {
  readonly dialect: Dialect;
  /** Name of the application entity. */
  readonly name: string;
  /** Sent with every sound request, such as the originator and the release. */
  readonly headers: HeaderList;
}

/** An application entity with a container in it, made for the exploration, and what it looks like. */
export class ExploredPlace {
  readonly place: Place;
  readonly #target: Target;
  readonly #base: string;
  readonly #options: PlaceOptions;
  /** What it looked like last; undefined when it has to be made anew. */
  #seen: string | undefined;

  constructor(target: Target, options: PlaceOptions) {
    const { url, base } = target.description;
    const { host, pathname } = new URL(url);
    this.#target = target;
    this.#options = options;
    this.#base = `/${base}`;
    const application = `${pathname.replace(/\/+$/, '')}/${base}/${options.name}`;
    this.place = {
      host,
      application,
      container: `${application}/c`,
      usual: options.headers.map(([name, value]) => `${name}: ${value}`),
      contentType: this.#label(4),
    };
  }

  /** Makes it anew where that is needed. Returns why it could not be made. */
  async prepare(): Promise<string | undefined> {
    if (this.#seen !== undefined) return undefined;
    const { name } = this.#options;
    const path = `${this.#base}/${name}`;
    await this.#send('DELETE', path);
    const kinds = [
      [this.#base, 2, { 'm2m:ae': { rn: name, api: 'Nwire', rr: this.#options.dialect === 'onem2m' ? true : 'TRUE' } }],
      [path, 3, { 'm2m:cnt': { rn: 'c' } }],
    ] as const;
    for (const [parent, ty, body] of kinds) {
      const { answer, failure } = await this.#send('POST', parent, ty, body);
      if (answer?.status !== 201)
        return `POST ${parent} got ${answer?.status ?? failure?.message}: ${answer?.body ?? ''}`;
    }
    this.#seen = await this.#look();
    return this.#seen === undefined ? 'what was created cannot be read' : undefined;
  }

  /** How it has changed since `prepare`; looked at over new connections. */
  async change(): Promise<'no answer' | 'changed' | 'unchanged'> {
    const before = this.#seen;
    this.#seen = await this.#look();
    if (this.#seen === undefined) return 'no answer';
    if (this.#seen === before) return 'unchanged';
    this.#seen = undefined;
    return 'changed';
  }

  async remove(): Promise<void> {
    await this.#send('DELETE', `${this.#base}/${this.#options.name}`);
  }

  /** Undefined when one of the two is not answered with a success. */
  async #look(): Promise<string | undefined> {
    // TS-0004, table 7.5.2-1: the attributes and references to the children.
    const query = this.#options.dialect === 'onem2m' ? '?rcn=5' : '';
    const path = `${this.#base}/${this.#options.name}`;
    const bodies: string[] = [];
    for (const one of [path, `${path}/c`]) {
      const { answer } = await this.#send('GET', one + query);
      if (answer === undefined || answer.status >= 500) return undefined;
      bodies.push(`${answer.status} ${answer.body}`);
    }
    return bodies.join('\n');
  }

  #label(ty: number): string {
    return this.#options.dialect === 'onem2m' ? `application/json;ty=${ty}` : 'application/vnd.onem2m-res+json';
  }

  #send(method: string, path: string, ty?: number, body?: object): Promise<Exchange> {
    const headers: HeaderList = [
      ...this.#options.headers,
      ...(ty === undefined ? [] : [['Content-Type', this.#label(ty)] as const]),
    ];
    const message = { method, path, headers, version: '1.1', addHost: true, addContentLength: true } as const;
    const sent = body === undefined ? message : { ...message, body: Buffer.from(JSON.stringify(body)) };
    return this.#target.sendRaw(sent, { watchConnection: 0 });
  }
}

/** The route to a target over CoAP (TS-0008), in the mapping of releases 2 to 4. */

import { headerOf, jsonOf } from '../../basics/body.ts';
import { factsIn } from '../../messages/coap-facts.ts';
import {
  answerIn,
  type CoapParts,
  isNumbered,
  numberIn,
  optionLimits,
  pathOf,
  requestIn,
  valuesOf,
} from '../../messages/coap-message.ts';
import { maskedHeaders, printfFormat, shellWord } from '../../messages/display.ts';
import { bodyText, serializationOf } from '../../messages/serialization.ts';
import type { RequestMessage } from '../../messages/target.ts';
import type { TargetDescription } from '../../results/result.ts';
import { ConnectionSlots } from '../exchanging/load-limits.ts';
import { blockSize, type CoapAskOptions, CoapEndpoint, CoapError } from './coap-endpoint.ts';
import { CoapInbox } from './coap-inbox.ts';
import type { NotificationHandler, Route, RouteOptions, RouteResult } from './route.ts';
import { UnsolicitedMessages } from './unsolicited.ts';

const usualPort = 5683;
/** Unacknowledged requests (RFC 7252, clause 4.7): the target may be a small device. */
const mostOutstanding = 4;
/** Milliseconds after which other requests are sent as well, whose wait counts as their own time. */
const ackTimeout = 1_000;
/** One of so many creations with a name is duplicated. */
const oneIn = 20;

export class CoapRoute implements Route {
  readonly wire = 'CoAP';
  onNotification: NotificationHandler = () => undefined;
  readonly #url: URL;
  readonly #free: CoapEndpoint[] = [];
  readonly #endpoints = new Set<CoapEndpoint>();
  readonly #outstanding = new ConnectionSlots(mostOutstanding);
  readonly #unsolicited = new UnsolicitedMessages({ mayRepeat: true });
  /** Creations with a name. */
  #named = 0;
  #inbox: CoapInbox | undefined;

  constructor({ url }: RouteOptions) {
    this.#url = new URL(url);
  }

  async ask(_cseId: string, request: RequestMessage, signal: AbortSignal): Promise<RouteResult> {
    const text = bodyText(request);
    this.#note(request, text);
    const message = requestIn(request);
    // Others wait for its acknowledgement, not for its answer.
    const { routed } = await this.#outstanding.use(async () => {
      signal.throwIfAborted();
      let onAccepted = () => {};
      const accepted = new Promise<void>((resolve) => {
        onAccepted = resolve;
      });
      const timer = setTimeout(onAccepted, ackTimeout);
      const routed = this.#routed(message, { signal, onAccepted, ...this.#duplication(message, text) });
      await Promise.race([accepted, routed.catch(() => {})]);
      clearTimeout(timer);
      return { routed };
    });
    return routed;
  }

  async #routed(request: CoapParts, options: CoapAskOptions): Promise<RouteResult> {
    const line = await this.#endpoint();
    const rqi = valuesOf(request.options, '283').map(String)[0] ?? '';
    const [accept] = valuesOf(request.options, 'Accept').map(numberIn);
    const asked = { ...(rqi !== '' && { rqi }), ...(accept !== undefined && { accept }) };
    const known = { binding: 'CoAP' as const, asked };
    this.#unsolicited.noteRequest(rqi);
    const facts = () => ({ ...known, ...(this.#unsolicited.take(rqi) as Record<string, string[]>) });
    try {
      const { message, matched } = await line.ask(request, options);
      return { answer: answerIn(message), wire: { ...facts(), ...factsIn(message), ...matched } };
    } catch (error) {
      if (!(error instanceof CoapError)) throw error;
      return { failure: { kind: error.kind, message: error.message }, wire: { ...facts(), ...error.facts } };
    } finally {
      this.#free.push(line);
    }
  }

  /** Duplicates some creations, where a name keeps the second from creating another resource. */
  #duplication({ code, options, payload }: CoapParts, text: string): Pick<CoapAskOptions, 'onDuplicate'> {
    const isOne = payload.length <= blockSize;
    const isNamed = isOne && code === '0.02' && valuesOf(options, '267').length > 0 && /"rn"\s*:\s*"/.test(text);
    if (!isNamed) return {};
    this.#named += 1;
    return this.#named % oneIn === 1 ? { onDuplicate: (answered) => this.#unsolicited.add('twice', answered) } : {};
  }

  async origin(host: string | undefined): Promise<string | undefined> {
    if (host === undefined) return undefined;
    const onNotification: NotificationHandler = (request) => this.onNotification(request);
    this.#inbox ??= await CoapInbox.open(host, { onNotification, unsolicited: this.#unsolicited });
    return this.#inbox.origin;
  }

  async listen(path: string): Promise<void> {
    this.#inbox?.listen(path);
  }

  #note({ method, path, headers }: RequestMessage, text: string): void {
    const originator = headerOf(headers, 'x-m2m-origin') ?? '';
    if (text.includes('"poa"')) this.#inbox?.note({ method, path }, originator, jsonOf(text));
  }

  cannotCarry({ method, path, headers, body = new Uint8Array(0) }: RequestMessage): string | undefined {
    const type = headerOf(headers, 'content-type');
    const accept = headerOf(headers, 'accept');
    const types = [
      ...(body.length > 0 && type !== undefined ? [type] : []),
      ...(accept?.includes('*') === false ? [accept] : []),
    ];
    if (!types.every(isNumbered)) return 'CoAP has no number for this media type';
    return optionLimits(requestIn({ method, path, headers, body }), headers);
  }

  /** For libcoap, whose client shows answers with unknown options only in its log. */
  line({ url }: TargetDescription, request: RequestMessage): string {
    const message = requestIn({ ...request, headers: maskedHeaders(request.headers) });
    const { code, options, payload } = message;
    const method = ['get', 'post', 'put', 'delete'][Number(code.slice(-1)) - 1] ?? 'get';
    const own = new Map([
      ['Content-Format', '-t'],
      ['Accept', '-A'],
    ]);
    const flags = options.flatMap(({ name, value }) => {
      if (name.startsWith('Uri-')) return [];
      const flag = own.get(name);
      return flag === undefined ? ['-O', `${name},0x${value.toString('hex')}`] : [flag, String(numberIn(value))];
    });
    const words = ['coap-client', '-v', '8', '-m', method, ...flags];
    const isText = serializationOf(headerOf(request.headers, 'content-type')) === 'json';
    const content = payload.length === 0 ? [] : isText ? ['-e', payload.toString('utf8')] : ['-f', '-'];
    const line = [...words, ...content, `${url}${pathOf(message)}`].map(shellWord).join(' ');
    return content[0] === '-f' ? `printf ${printfFormat(payload)} | ${line}` : line;
  }

  async close(): Promise<void> {
    for (const line of this.#endpoints) line.close();
    this.#inbox?.close();
  }

  async #endpoint(): Promise<CoapEndpoint> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const endpoint = await CoapEndpoint.open(this.#url.hostname, Number(this.#url.port || usualPort));
    this.#endpoints.add(endpoint);
    return endpoint;
  }
}

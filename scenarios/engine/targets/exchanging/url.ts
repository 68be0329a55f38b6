import type { Pool } from 'undici';
import { defined } from '../../basics/defined.ts';
import { lazy } from '../../basics/memoize.ts';
import { version } from '../../basics/version.ts';
import { curlLine, rawLine } from '../../messages/curl.ts';
import {
  asRaw,
  type HeaderList,
  isExactBytes,
  isRaw,
  type RawRequest,
  type RequestLimits,
  type RequestMessage,
  type Target,
  type Way,
} from '../../messages/target.ts';
import { tlsOptions } from '../../messages/tls.ts';
import { escapedPath, wireBytes, wireHeaders, withBaseUrl, withUsual } from '../../messages/wire.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { TargetDescription } from '../../results/result.ts';
import { converse, exchangeBytes } from './conversation.ts';
import { dispatch, type PoolOptions, Pools } from './pools.ts';
import { recordedMessage, recordedSent, timedExchange } from './record.ts';

export interface UrlTargetOptions extends PoolOptions, RequestLimits {
  readonly description: TargetDescription;
  /** Added to every request that does not have them itself. */
  readonly headers?: HeaderList;
}

/** A CSE behind a URL. */
export function urlTarget(options: UrlTargetOptions): Target {
  const url = new URL(options.description.url);
  const pools = new Pools(url.origin, options);
  return {
    description: options.description,
    objection: () => undefined,
    send: (request, way = {}) => {
      if (isRaw(request)) return pools.alone(() => sendRaw(url, request, way, options));
      if (!way.alone && way.over === undefined)
        return pools.use(way.certificate, (pool) => send(pool, url, request, way, options));
      const raw = asRaw({ ...request, path: escapedPath(request.path) });
      return pools.alone(() => sendRaw(url, raw, way, options));
    },
    converse: (turns, way = {}) => pools.alone(() => converse(turns, endpointOf(url, way, options)), turns.length),
    close: () => pools.destroy(),
  };
}

function send(pool: Pool, url: URL, request: RequestMessage, way: Way, options: UrlTargetOptions): Promise<Exchange> {
  const { trust = {}, timeout } = options;
  const message = withBaseUrl({ ...request, path: escapedPath(request.path) }, url, options);
  const ask = async () => {
    const result = await dispatch(pool, { ...message, headers: withUsual(message.headers, userAgent()) }, timeout);
    return { ...result, ...wayFacts(way) };
  };
  const line = () => curlLine(url.origin, message, { ...way, trust });
  return timedExchange(options.startedAt, recordedMessage(message), ask, line);
}

/** Identifies cselab in the logs of a target. Like Host, it is added on the wire and absent from the evidence. */
const userAgent = lazy((): HeaderList => [['User-Agent', `cselab/${version()}`]]);

/** Verbatim requests are not changed. */
function withUserAgent(request: RawRequest): RawRequest {
  if (isExactBytes(request) || !request.addHost) return request;
  return { ...request, headers: withUsual(request.headers, userAgent()) };
}

function wayFacts({ certificate, over }: Way): Pick<Exchange, 'certificate' | 'over'> {
  return defined({ certificate: certificate?.name, over });
}

function sendRaw(url: URL, original: RawRequest, way: Way, options: UrlTargetOptions): Promise<Exchange> {
  const { trust = {} } = options;
  const request = isExactBytes(original) ? original : withBaseUrl(original, url, options);
  const bytes = wireBytes(withUserAgent(request), url.host);
  // Computed at once: it is short, and the bytes may be many.
  const line = rawLine(url.origin, request, { ...way, trust });
  const { timeout = options.timeout, watchConnection = 0 } = way;
  const ask = async () => {
    const seen = { ...endpointOf(url, way, options), method: methodOf(request, bytes), timeout, watchConnection };
    return { ...(await exchangeBytes(bytes, seen)), ...wayFacts(way) };
  };
  const sent = isExactBytes(request) ? request : { ...request, headers: wireHeaders(request, url.host) };
  return timedExchange(options.startedAt, recordedSent(sent), ask, () => line);
}

/** How a connection to the target is opened. */
function endpointOf(url: URL, { certificate, over }: Way, { trust = {} }: UrlTargetOptions) {
  const secure = over === undefined ? url.protocol === 'https:' : over !== 'plain TCP';
  return {
    ...(secure && { tls: { options: tlsOptions(trust, certificate, over), trust } }),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
}

function methodOf(request: RawRequest, bytes: Uint8Array): string {
  if (!isExactBytes(request)) return request.method;
  return Buffer.from(bytes.subarray(0, 16)).toString('latin1').split(' ')[0] ?? '';
}

import { viewOf } from '../answer.ts';
import { UsageError } from '../diagnostics.ts';
import type { Exchange, TargetDescription } from '../result.ts';
import { didYouMean } from '../suggest.ts';
import type { Opened } from './target.ts';
import { type UrlTargetOptions, urlTarget } from './url.ts';

export interface UrlChoice {
  readonly url: string;
  readonly base?: string;
  readonly cseId?: string;
  readonly spId?: string;
}

/** What the examples of the interface specification use. */
export const defaults = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };

/** Milliseconds after which a target that says nothing counts as unreachable. */
const probeTimeout = 4500;
/** Milliseconds to see whether the target closes the connection after its answer. */
const closeWatch = 100;

/** Throws UsageError for a URL that cannot be a target. */
export function describeUrl(choice: UrlChoice): TargetDescription {
  const url = parseUrl(choice.url);
  return {
    kind: 'url',
    url: url.href.replace(/\/+$/, ''),
    base: (choice.base ?? defaults.base).replace(/^\/+|\/+$/g, ''),
    cseId: (choice.cseId ?? defaults.cseId).replace(/^\/+/, ''),
    spId: (choice.spId ?? defaults.spId).replace(/^\/+/, ''),
  };
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new UsageError(`"${text}" is no URL; it should look like http://127.0.0.1:8000`);
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') {
    throw new UsageError(`"${text}" is neither an http nor an https URL${didYouMean(scheme, ['http', 'https'])}`);
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`the URL "${text}" may only have a host, a port and a path`);
  }
  return url;
}

/** Asks the target for its CSE base once: any HTTP answer will do; its `csi` tells the CSE id, if none was given. */
export async function openUrl(
  choice: UrlChoice,
  options: Pick<UrlTargetOptions, 'connections' | 'timeout' | 'startedAt'>,
): Promise<Opened> {
  const description = describeUrl(choice);
  const timeout = Math.min(options.timeout, probeTimeout);
  const probe = urlTarget({ ...options, description, timeout, keepAlive: false });
  const request = { method: 'GET', path: `/${description.base}`, headers: [] };
  const raw = { ...request, version: '1.1', addHost: true, addContentLength: true } as const;
  const exchange = await probe.sendRaw(raw, { watchConnection: closeWatch });
  await probe.close();
  if (exchange.answer === undefined) {
    const { message = 'nothing came' } = exchange.failure ?? {};
    return { description, unreachable: `${description.url} does not answer: ${message}` };
  }
  const found =
    choice.cseId === undefined ? { ...description, cseId: cseIdIn(exchange) ?? description.cseId } : description;
  return { target: urlTarget({ ...options, description: found, keepAlive: keepsConnection(exchange) }) };
}

/** A target that closes without saying so would break the next request on the same connection. */
function keepsConnection({ answer, connection }: Exchange): boolean {
  const announced = answer?.headers.some(([name, value]) => name === 'connection' && /\bclose\b/i.test(value));
  return connection !== 'closed' || announced === true;
}

function cseIdIn(exchange: Exchange): string | undefined {
  const { root, attributes } = viewOf(exchange);
  const csi = root === 'm2m:cb' ? attributes?.csi : undefined;
  return typeof csi === 'string' ? /^\/?([^/\s]+)$/.exec(csi)?.[1] : undefined;
}

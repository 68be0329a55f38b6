import type { HttpService } from '../../../../sim/dialects/http-message.ts';
import { rawLine } from '../../messages/curl.ts';
import { bodyText } from '../../messages/serialization.ts';
import {
  asRaw,
  isExactBytes,
  now,
  type RequestLimits,
  type RequestMessage,
  since,
  socketless,
  type Target,
} from '../../messages/target.ts';
import { escapedPath } from '../../messages/wire.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { TargetDescription } from '../../results/result.ts';
import { recordedMessage } from '../exchanging/record.ts';

type DirectOptions = Pick<RequestLimits, 'startedAt'> & { description: TargetDescription; service: HttpService };

/** A CSE in this process without a binding, for very many requests: no HTTP between it and the harness. */
export function directTarget(options: DirectOptions): Target {
  const objection: Target['objection'] = (request) => (isExactBytes(request) ? 'exact bytes need a socket' : undefined);
  return socketless({ ...options, objection }, (request) => exchange(request, options));
}

const noBytes = new Uint8Array();

async function exchange(input: RequestMessage, { service, description, startedAt }: DirectOptions): Promise<Exchange> {
  const request = { ...input, path: escapedPath(input.path) };
  const { method, path, body = noBytes } = request;
  const started = now();
  const answer = await service.handle({ method, target: path, headers: headersOf(request, description), body });
  const headers = Object.entries(answer.headers);
  const bytes = Buffer.from(answer.body);
  return {
    answer: { status: answer.status, headers, body: bodyText({ headers, body: bytes }) },
    at: since(startedAt, started),
    took: since(started),
    // Computed on demand: of very many exchanges hardly any is shown.
    get request() {
      return recordedMessage(request);
    },
    get curl() {
      return rawLine(description.url, asRaw(request));
    },
  };
}

function headersOf({ headers }: RequestMessage, { url }: TargetDescription): Record<string, string> {
  const lines: Record<string, string> = { host: url.slice(url.indexOf('//') + 2) };
  for (const [name, value] of headers) lines[name.toLowerCase()] = value;
  return lines;
}

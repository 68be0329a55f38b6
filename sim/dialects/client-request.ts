/** Requests to a CSE in this process, as a client of its dialect sends them. */
import type { CseConfiguration } from '../core/configuration.ts';
import { typeTableOf } from '../core/requested-type.ts';
import type { HttpRequest } from './http-message.ts';

interface ClientRequest {
  readonly method: string;
  readonly target: string;
  /** Empty: no originator is sent. */
  readonly originator?: string | undefined;
  readonly identifier: string;
  readonly content?: object | undefined;
}

/** Without a peer, since it comes over no network. */
export function clientRequest(request: ClientRequest, { dialect, types, releases }: CseConfiguration): HttpRequest {
  const { method, target, originator, identifier, content } = request;
  const [root = ''] = Object.keys(content ?? {});
  const ty = method === 'POST' ? typeTableOf(types).byRoot.get(root)?.ty : undefined;
  const standard = dialect.name === 'onem2m';
  const type = standard ? `application/json${ty === undefined ? '' : `;ty=${ty}`}` : 'application/vnd.onem2m-res+json';
  return {
    ...{ method, target },
    headers: {
      ...(originator && { 'x-m2m-origin': originator }),
      'x-m2m-ri': identifier,
      ...(standard && { 'x-m2m-rvi': releases.at(-1) ?? '3' }),
      ...(content !== undefined && { 'content-type': type }),
    },
    body: new TextEncoder().encode(content === undefined ? '' : JSON.stringify(content)),
  };
}

import type { HttpRequest } from '../../dialects/http-message.ts';
import { noBytes } from './bytes.ts';

/** What the same originator reads at an address. */
export function readingOf(request: HttpRequest, target: string): HttpRequest {
  return { ...request, method: 'GET', target, body: noBytes };
}

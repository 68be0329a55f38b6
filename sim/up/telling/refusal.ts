/** A request with the status of its answer, and why it was refused, as it is told: bounded, and nothing in it that a terminal obeys. */
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { refusalReason } from '../../dialects/refusal-reason.ts';

export interface Refusal {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** Response status code of oneM2M. */
  readonly rsc?: number;
  /** X-M2M-Origin of the request. */
  readonly originator?: string;
  /** What the answer said. */
  readonly reason?: string;
}

/** Characters of a target, and of an originator. */
const longest = 200;

export function refusalOf({ method, target, headers }: HttpRequest, answer: HttpResponse): Refusal {
  const rsc = Number(answer.headers['X-M2M-RSC'] ?? answer.headers['x-m2m-rsc'] ?? 0);
  const originator = headers['x-m2m-origin'];
  const reason = answer.status < 400 ? undefined : refusalReason(answer);
  return {
    ...{ method: legible(method), target: legible(target), status: answer.status },
    ...(rsc > 0 && { rsc }),
    ...(originator && { originator: legible(originator) }),
    ...(reason !== undefined && { reason: legible(reason, reason.length) }),
  };
}

/** `400 (4000) to POST /onem2m by CApp`. */
export function headOf({ method, target, status, rsc, originator }: Refusal): string {
  const by = originator === undefined ? '' : ` by ${originator}`;
  return `${status}${rsc === undefined ? '' : ` (${rsc})`} to ${method} ${target}${by}`;
}

/** Control characters, marks that turn the direction of writing, and line ends become question marks. */
function legible(text: string, most = longest): string {
  const bounded = text.length <= most ? text : `${text.slice(0, most)}…`;
  return bounded.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}

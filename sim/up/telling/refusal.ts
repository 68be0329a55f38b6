/** A request with the status of its answer, and why it was refused, as it is told: bounded, and nothing in it that a terminal obeys. */
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import { refusalReason } from '../../dialects/refusal-reason.ts';
import { watchedService } from '../../dialects/watched.ts';
import type { UpEvent } from './event.ts';

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

// What is told of refused requests: each kind at once, but not again and again where an application asks every second.

/** Milliseconds in which equal ones are told once, and so many different ones. */
const [window, most] = [10_000, 50];

export function refusalsTold(
  service: HttpService,
  cse: string,
  tell: (event: UpEvent) => void,
  now: () => number = Date.now,
): HttpService {
  const told = new Set<string>();
  let [begun, omitted] = [Number.NEGATIVE_INFINITY, 0];
  const answered = (answer: HttpResponse, _mark: undefined, request: HttpRequest): void => {
    if (answer.status < 400) return;
    if (now() - begun >= window) {
      begun = now();
      told.clear();
    }
    const refusal = refusalOf(request, answer);
    const key = JSON.stringify(refusal);
    if (told.has(key) || told.size >= most) {
      omitted += 1;
      return;
    }
    told.add(key);
    tell({ event: 'refused', cse, ...refusal, ...(omitted > 0 && { omitted }) });
    omitted = 0;
  };
  return watchedService(service, { came: () => undefined, answered });
}

/** `cselab up --verbose`: each request is told with its answer. */
export function requestsTold(service: HttpService, cse: string, tell: (event: UpEvent) => void): HttpService {
  return watchedService(service, {
    came: () => undefined,
    answered: (answer, _mark, request) => tell({ event: 'request', cse, ...refusalOf(request, answer) }),
  });
}

/** A request with the status of its answer and the reason of a refusal, for output: bounded, without control characters. */
import { wireNames } from '../../dialects/outgoing-message.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { RequestJournal } from '../../journal/journal.ts';
import type { UpEvent } from './event.ts';

export interface Refusal {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** Response status code of oneM2M. */
  readonly rsc?: number;
  /** X-M2M-Origin of the request. */
  readonly originator?: string;
  /** The wire, where it was not HTTP: `MQTT`. */
  readonly wire?: string;
  /** From the answer. */
  readonly reason?: string;
}

/** Characters of a target, and of an originator. */
const longest = 200;

export function refusalOf({ method, target, originator, wire, answer }: JournalEntry): Refusal {
  const { status = 0, code = 0, reason } = answer ?? {};
  return {
    ...{ method: legible(method), target: legible(target), status },
    ...(code > 0 && { rsc: code }),
    ...(originator && { originator: legible(originator) }),
    ...(wire !== 'http' && { wire: wireNames[wire] }),
    ...(reason !== undefined && { reason: legible(reason, reason.length) }),
  };
}

/** `400 (4000) to POST /onem2m by CApp`. */
export function headOf({ method, target, status, rsc, originator, wire }: Refusal): string {
  const by = originator === undefined ? '' : ` by ${originator}`;
  const over = wire === undefined ? '' : ` over ${wire}`;
  return `${status}${rsc === undefined ? '' : ` (${rsc})`} to ${method} ${target}${by}${over}`;
}

/** Control characters, marks that turn the direction of writing, and line ends become question marks. */
function legible(text: string, most = longest): string {
  const bounded = text.length <= most ? text : `${text.slice(0, most)}…`;
  return bounded.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}

// Reports of refused requests: each kind at once, but not repeatedly where an application retries every second.

/** Milliseconds in which equal ones are reported once, and the number of different ones. */
const [window, most] = [10_000, 50];

export function reportRefusals(
  requests: RequestJournal,
  cse: string,
  report: (event: UpEvent) => void,
  now: () => number = Date.now,
): void {
  const reported = new Set<string>();
  let [begun, omitted] = [Number.NEGATIVE_INFINITY, 0];
  requests.subscribe(({ kind, entry }) => {
    if (kind === 'request' || (entry.answer?.status ?? 0) < 400) return;
    if (now() - begun >= window) {
      begun = now();
      reported.clear();
    }
    const refusal = refusalOf(entry);
    const key = JSON.stringify(refusal);
    if (reported.has(key) || reported.size >= most) {
      omitted += 1;
      return;
    }
    reported.add(key);
    report({ event: 'refused', cse, ...refusal, ...(omitted > 0 && { omitted }) });
    omitted = 0;
  });
}

/** `cselab up --verbose`: reports each request with its answer. */
export function reportRequests(requests: RequestJournal, cse: string, report: (event: UpEvent) => void): void {
  requests.subscribe(({ kind, entry }) => {
    if (kind === 'answer') report({ event: 'request', cse, ...refusalOf(entry) });
  });
}

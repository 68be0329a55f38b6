/** The last things that are worth a look, equal ones in one line. */
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';

export type Weight = 'told' | 'refused' | 'failed' | 'undelivered';

export interface Remark {
  readonly weight: Weight;
  readonly cse: string;
  readonly text: string;
  /** Milliseconds since 1970 UTC, by the system's time, of the last one. */
  readonly at: number;
  readonly times: number;
}

interface Kept {
  readonly weight: Weight;
  readonly cse: string;
  /** A text, or a request that was refused, which becomes a text when somebody looks. */
  readonly what: string | Refusal;
  at: number;
  times: number;
}

interface Refusal {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly rsc: string;
}

export class Latest {
  readonly #most: number;
  readonly #now: () => number;
  #kept: Kept[] = [];

  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  /** The oldest first. */
  get remarks(): Remark[] {
    return this.#kept.map(({ weight, cse, what, at, times }) => ({ weight, cse, text: textOf(what), at, times }));
  }

  add(weight: Weight, cse: string, text: string): void {
    this.#enter(weight, cse, text, (other) => other === text);
  }

  refusal(cse: string, { method, target }: HttpRequest, { status, headers }: HttpResponse): void {
    const rsc = headers['X-M2M-RSC'] ?? headers['x-m2m-rsc'] ?? '';
    const weight = status < 500 ? 'refused' : 'failed';
    this.#enter(weight, cse, { method, target, status, rsc }, (other) => isSame(other, method, target, status, rsc));
  }

  #enter(weight: Weight, cse: string, what: Kept['what'], isEqual: (other: Kept['what']) => boolean): void {
    const at = this.#kept.findIndex((one) => one.cse === cse && one.weight === weight && isEqual(one.what));
    const [former] = at < 0 ? [] : this.#kept.splice(at, 1);
    this.#kept.push({ weight, cse, what, at: this.#now(), times: (former?.times ?? 0) + 1 });
    if (this.#kept.length > this.#most) this.#kept.shift();
  }
}

function isSame(other: Kept['what'], method: string, target: string, status: number, rsc: string): boolean {
  if (typeof other === 'string') return false;
  return other.target === target && other.method === method && other.status === status && other.rsc === rsc;
}

function textOf(what: Kept['what']): string {
  if (typeof what === 'string') return what;
  const { method, target, status, rsc } = what;
  return `${status}${rsc === '' ? '' : ` (${rsc})`} to ${method} ${target}`;
}

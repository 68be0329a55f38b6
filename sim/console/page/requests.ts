/** What the page asks of the console. */
import { asking } from '../../web/page/asking.ts';
import type { ClockTold } from '../console-routes.ts';
import type { Station } from '../station.ts';
import type { Message, MessageSummary } from '../traffic.ts';
import type { childrenOf, detailsOf, heldBy } from '../views.ts';

/** What is gone is null. */
interface Readings {
  overview: { readonly cses: readonly Overview[] };
  deviations: readonly { readonly id: string; readonly says: string }[];
  messages: readonly MessageSummary[];
  message: Message | null;
  children: ReturnType<typeof childrenOf> | null;
  resource: ReturnType<typeof detailsOf> | null;
  held: ReturnType<typeof heldBy>;
}

interface Doings {
  request: ConsoleAnswer;
  deviations: unknown;
  breakage: unknown;
  clock: ClockTold;
  forget: unknown;
}

/** A CSE, and what is switched on there. */
export type Overview = ReturnType<Station['overview']>;

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const { read, act } = asking<Readings, Doings>();

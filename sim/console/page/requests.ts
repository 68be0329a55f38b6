/** Requests of the page to the console. */
import { apiClient } from '../../web/page/api.ts';
import type { ConsoleCse } from '../console-cse.ts';
import type { ClockState } from '../console-routes.ts';
import type { Message, MessageSummary } from '../traffic.ts';
import type { childrenOf, detailsOf, heldBy } from '../views.ts';

/** What is gone is null. */
interface ReadResults {
  overview: { readonly cses: readonly Overview[] };
  deviations: readonly { readonly id: string; readonly says: string }[];
  messages: readonly MessageSummary[];
  message: Message | null;
  children: ReturnType<typeof childrenOf> | null;
  resource: ReturnType<typeof detailsOf> | null;
  held: ReturnType<typeof heldBy>;
}

interface ActionResults {
  request: ConsoleAnswer;
  deviations: unknown;
  disturbances: unknown;
  clock: ClockState;
  forget: unknown;
}

/** A CSE, its deviations and its disturbances. */
export type Overview = ReturnType<ConsoleCse['overview']>;

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const { read, act } = apiClient<ReadResults, ActionResults>();

/** What the page asks of the console. */
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

const token = document.querySelector('meta[name=token]')?.getAttribute('content') ?? '';

/** Rejects with an Error whose message can be shown. */
export async function read<Path extends keyof Readings>(
  path: Path,
  parameters: Record<string, string> = {},
): Promise<Readings[Path]> {
  return answerOf(await fetch(`/api/${path}?${new URLSearchParams(parameters)}`));
}

/** Rejects as above. */
export async function act<Path extends keyof Doings>(path: Path, body: object): Promise<Doings[Path]> {
  const headers = { 'content-type': 'application/json', 'x-cselab-token': token };
  return answerOf(await fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function answerOf<Value>(answer: Response): Promise<Value> {
  const value = (await answer.json()) as Value & { readonly error?: string };
  if (!answer.ok) throw new Error(value.error);
  return value;
}

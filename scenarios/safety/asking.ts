import { type AnswerView, isSuccess, summaryOf, viewOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import { bareRequest, type Speech } from '../engine/messages/usual-headers.ts';
import type { Target, Way } from '../engine/targets/target.ts';

/** Who asks a CSE, and how. */
export interface Asking {
  readonly target: Target;
  readonly way: Way;
  readonly speech: Speech;
  /** Tried one after the other, as long as the one before is refused; one at least. */
  readonly originators: ReadonlyArray<string | undefined>;
}

/** What came to the last originator that asked, or why nothing may be asked. */
type Asked = { readonly exchange: Exchange; readonly by: string | undefined } | { readonly unasked: string };

/** Asks for what stands at a path, or for its removal; another originator tries where a refusal `goesOn`. */
export async function ask(
  method: 'GET' | 'DELETE',
  path: string,
  { target, way, speech, originators }: Asking,
  goesOn: (refusal: Exchange) => boolean = () => true,
): Promise<Asked> {
  let asked: Asked = { unasked: 'nobody is known who could ask' };
  for (const originator of new Set(originators)) {
    const request = bareRequest(method, path, { originator, speech });
    const unasked = await target.objection(request, way);
    if (unasked !== undefined) return { unasked };
    const exchange = await target.send(request, way);
    asked = { exchange, by: originator };
    if (isSuccess(exchange) || exchange.answer === undefined || !goesOn(exchange)) break;
  }
  return asked;
}

interface Reading {
  /** Absent where it could not be asked for. */
  readonly exchange?: Exchange;
  /** What was read; absent where nothing was. */
  readonly view?: AnswerView;
  /** By whom. */
  readonly by?: string | undefined;
  /** What came, or why nothing was asked. */
  readonly says: string;
}

/** By the first originator that may read, else what the last one was answered. */
export async function read(path: string, asking: Asking): Promise<Reading> {
  const asked = await ask('GET', path, asking);
  if ('unasked' in asked) return { says: asked.unasked };
  const { exchange } = asked;
  const says = summaryOf(exchange);
  return isSuccess(exchange) ? { ...asked, says, view: viewOf(exchange) } : { exchange, says };
}

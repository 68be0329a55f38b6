/** Servers that behave as deployed CSEs do: our own CSE with the ways of another one around it. */
import type { Cse } from '../core/cse.ts';
import type { CseOptions, ReferenceCse } from '../create-cse.ts';
import type { HttpResponse } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import type { Wrap } from '../faults/fault.ts';

/** One way in which a deployed CSE differs from the reference CSE. */
export interface Quirk {
  /** The part of the interface, then what is different: `discovery.without-right.refused`. */
  readonly id: string;
  /** Everything that it does, in one sentence. */
  readonly says: string;
  /** The line of the field notes on which it rests. */
  readonly notes: string;
  /** Ids of the requirements that a CSE with it does not keep, in each dialect; none where it breaks nothing. */
  readonly violates: { readonly documented?: readonly string[]; readonly onem2m?: readonly string[] };
  /** Why no requirement is violated, where none is. */
  readonly because?: string;
  /** Settings of the reference CSE by which it comes about. */
  readonly settings?: Partial<CseOptions>;
  /** Around the HTTP service. */
  readonly wrap?: Wrap;
  /** Around what the CSE sends. */
  readonly wrapSender?: (sender: Sender, core: Cse) => Sender;
  /** Between the sockets and HTTP; without any, HTTP has the sockets to itself. */
  readonly wire?: Wire;
}

/** What happens to the bytes of a connection. */
export interface Wire {
  /** What of the bytes that came from the client in one piece reaches the CSE; undefined closes the connection without an answer. */
  readonly receives?: (piece: Buffer, isFirst: boolean) => Buffer | undefined;
  /** What becomes of everything that the CSE has answered on a connection, after it has closed it. */
  readonly answers?: (whole: Buffer) => Buffer;
  /** Milliseconds after which a connection on which nothing has come is closed. */
  readonly idle?: number;
}

export interface Product {
  /** As it is written on the command line: `acme`. */
  readonly name: string;
  /** The release that requests to it name, in the onem2m dialect. */
  readonly release?: string;
  readonly settings: Omit<CseOptions, 'faults' | 'messenger'>;
  readonly quirks: readonly Quirk[];
}

/** An answer by which a quirk says that none comes: the server closes the connection. The quirk needs a wire, be it an empty one. */
export const noAnswer: HttpResponse = { status: 444, headers: {}, body: '' };

/** Settings of the reference CSE for a product with these quirks. */
export function quirkSettings(product: Product, quirks: readonly Quirk[] = product.quirks): CseOptions {
  return [product.settings, ...quirks.map((quirk) => quirk.settings ?? {})].reduce(merged);
}

/** The CSE with what quirks put around its HTTP service. */
export function withQuirks({ core, http }: ReferenceCse, quirks: readonly Quirk[]): ReferenceCse {
  return { core, http: quirks.reduce((inner, { wrap }) => wrap?.(inner, core) ?? inner, http) };
}

/** What the CSE sends, with what quirks put around it. */
export function withSendingQuirks(sender: Sender, core: Cse, quirks: readonly Quirk[]): Sender {
  return quirks.reduceRight((inner, { wrapSender }) => wrapSender?.(inner, core) ?? inner, sender);
}

function merged(settings: CseOptions, further: CseOptions): CseOptions {
  return { ...settings, ...further, limits: { ...settings.limits, ...further.limits } };
}

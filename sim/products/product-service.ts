/** A product without a socket. */
import { systemClock } from '../clock.ts';
import { createCse, type ReferenceCse } from '../create-cse.ts';
import type { OutgoingAnswer, OutgoingRequest, Sender } from '../dialects/outgoing-message.ts';
import { HttpClient } from '../topology/client.ts';
import { httpMessenger } from '../topology/messenger.ts';
import { type Product, type Quirk, quirkSettings, withQuirks, withSendingQuirks } from './product.ts';

/** The CSE of a product, with all of its quirks unless some are chosen; the last one has the last word. */
export function productService(product: Product, quirks: readonly Quirk[] = product.quirks): ReferenceCse {
  const settings = quirkSettings(product, quirks);
  let sender: Sender = new HttpClient();
  // The CSE has to be there before what is around its messages.
  const outermost: Sender = { send: (...request: SentArguments): Promise<OutgoingAnswer> => sender.send(...request) };
  const { dialect = 'documented', clock = systemClock() } = settings;
  const messenger = httpMessenger(outermost, { dialect, now: () => clock.now() });
  const cse = createCse({ ...settings, messenger });
  sender = withSendingQuirks(sender, cse.core, quirks);
  return withQuirks(cse, quirks);
}

type SentArguments = [baseUrl: string, request: OutgoingRequest, signal?: AbortSignal];

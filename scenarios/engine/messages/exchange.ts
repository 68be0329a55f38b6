/** What went over the wire, in both directions, as results keep it. */
import { z } from 'zod';

const Headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();

const sent = {
  method: z.string(),
  path: z.string().describe('Request target as sent: path and query.'),
  headers: Headers,
  body: z.string().exactOptional(),
  exactBytes: z.boolean().describe('True: `body` holds all bytes that were sent, as text.').exactOptional(),
};

const SentRequest = z.object(sent).readonly();
export type SentRequest = z.infer<typeof SentRequest>;

const ReceivedAnswer = z.object({ status: z.int(), headers: Headers, body: z.string() }).readonly();
export type ReceivedAnswer = z.infer<typeof ReceivedAnswer>;

/**
 * Why no answer came. `tls`: the connection came about, but no handshake, or one that was taken back; `cut`: an answer
 * began, and its end never came.
 */
const failureKinds = [
  'refused',
  'unreachable',
  'tls',
  'reset',
  'closed',
  'cut',
  'timeout',
  'malformed',
  'interrupted',
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** What TLS showed of an exchange; without `handshake` it came to neither end. */
const TlsFacts = z
  .object({
    handshake: z
      .enum(['completed', 'refused', 'dropped'])
      .describe('`dropped`: completed, but the target cut the connection before any answer.')
      .exactOptional(),
    version: z.string().describe('Such as `TLS 1.3`.').exactOptional(),
    alert: z.string().describe('What the target sent, such as `unknown ca`.').exactOptional(),
    server: z
      .object({
        verification: z.string().describe('`verified`, or why not; absent with -k.').exactOptional(),
        uris: z.array(z.string()).readonly().describe('URIs among the alternative names.'),
      })
      .readonly()
      .describe('The certificate of the target.')
      .exactOptional(),
  })
  .readonly()
  .meta({ id: 'TlsFacts' });
export type TlsFacts = z.infer<typeof TlsFacts>;

export const Exchange = z
  .object({
    request: SentRequest,
    answer: ReceivedAnswer.exactOptional(),
    failure: z
      .object({
        kind: z.enum(failureKinds),
        message: z.string(),
      })
      .readonly()
      .describe('Why no answer came.')
      .exactOptional(),
    connection: z.enum(['open', 'closed']).describe('What became of the connection (raw steps).').exactOptional(),
    surplus: z.int().min(1).describe('Bytes that came after the answer (raw steps).').exactOptional(),
    certificate: z.string().describe('Name of the client certificate that was presented.').exactOptional(),
    over: z.string().describe('What the step insisted on, such as `TLS 1.2`.').exactOptional(),
    tls: TlsFacts.describe('For exchanges over TLS on a connection of their own.').exactOptional(),
    at: z.number().describe('Milliseconds since the start of the run.'),
    took: z.number().describe('Milliseconds from sending to the end of the answer.'),
    curl: z.string().describe('A command line that sends the same request.'),
  })
  .readonly()
  .meta({ id: 'Exchange', description: 'One request with what came back.' });
export type Exchange = z.infer<typeof Exchange>;

export const ReceivedRequest = z
  .object({ ...sent, at: z.number().describe('Milliseconds since the start of the run.') })
  .readonly()
  .meta({ id: 'Received', description: 'A request that the target sent to the harness.' });
export type ReceivedRequest = z.infer<typeof ReceivedRequest>;

export const NotificationsSeen = z
  .object({
    inbox: z.string(),
    url: z.string().describe('Where they were to come.'),
    waited: z.number().describe('Milliseconds that the step waited.'),
    count: z.int().min(0),
    shown: z.array(ReceivedRequest).readonly().describe('The first of them.'),
  })
  .readonly()
  .describe('What the step found in an inbox.');
export type NotificationsSeen = z.infer<typeof NotificationsSeen>;

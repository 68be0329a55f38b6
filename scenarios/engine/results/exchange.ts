/** Messages of both directions, as in results. */
import { z } from 'zod';
import { flag, frozen, listOf, named, optional, text } from '../basics/shapes.ts';

const Headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();

const requestShape = {
  method: z.string(),
  path: z.string().describe('Request target as sent: path and query.'),
  headers: Headers,
  body: z.string().exactOptional(),
  exactBytes: flag('True: `body` holds all bytes that were sent, as text.'),
};

const SentRequest = frozen(requestShape);
export type SentRequest = z.infer<typeof SentRequest>;

const ReceivedAnswer = frozen({ status: z.int(), headers: Headers, body: z.string() });
export type ReceivedAnswer = z.infer<typeof ReceivedAnswer>;

/**
 * Why no answer came. `tls`: connected, but without a handshake, or with one that was revoked; `cut`: an answer began, but
 * did not end.
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

/** TLS facts of an exchange; without `handshake` it did not finish. */
const TlsFacts = named(['TlsFacts'], {
  handshake: optional(
    z.enum(['completed', 'refused', 'dropped']),
    '`dropped`: completed, but the target cut the connection before any answer.',
  ),
  version: text('Such as `TLS 1.3`.'),
  alert: text('The alert of the target, such as `unknown ca`.'),
  server: frozen({
    verification: text('`verified`, or why not; absent with -k.'),
    uris: listOf(z.string()).describe('URIs among the alternative names.'),
  })
    .describe('The certificate of the target.')
    .exactOptional(),
});
export type TlsFacts = z.infer<typeof TlsFacts>;

/** Names for sentences. */
export const wires = ['MQTT', 'WebSocket', 'CoAP'] as const;
/** A binding other than HTTP. */
export type WireName = (typeof wires)[number];

const WireFacts = z
  .object({
    binding: z.enum(wires),
    asked: z.record(z.string(), z.json()).readonly().describe('What the answer must agree with.'),
  })
  .catchall(z.json())
  .readonly()
  .meta({
    id: 'WireFacts',
    description:
      'Facts of the binding about an exchange, by names that its rules use; lists hold messages beside the answer.',
  });
export type WireFacts = z.infer<typeof WireFacts>;

export const Exchange = named(['Exchange', 'One request with its answer or failure.'], {
  request: SentRequest,
  answer: ReceivedAnswer.exactOptional(),
  failure: frozen({
    kind: z.enum(failureKinds),
    message: z.string(),
  })
    .describe('Why no answer came.')
    .exactOptional(),
  connection: optional(z.enum(['open', 'closed']), 'State of the connection afterwards (raw steps).'),
  surplus: optional(z.int().min(1), 'Bytes after the answer (raw steps).'),
  wire: optional(WireFacts, 'For an exchange over another binding than HTTP.'),
  certificate: text('Name of the client certificate that was presented.'),
  over: text('Transport that the step required, such as `TLS 1.2`.'),
  tls: optional(TlsFacts, 'For exchanges over TLS on a connection of their own.'),
  at: z.number().describe('Milliseconds since the start of the run.'),
  took: z.number().describe('Milliseconds from sending to the end of the answer.'),
  curl: z.string().describe('A command line that sends the same request.'),
});
export type Exchange = z.infer<typeof Exchange>;

export const ReceivedRequest = named(['Received', 'A request that the target sent to the harness.'], {
  ...requestShape,
  at: z.number().describe('Milliseconds since the start of the run.'),
});
export type ReceivedRequest = z.infer<typeof ReceivedRequest>;

export const StepNotifications = frozen({
  inbox: z.string(),
  url: z.string().describe('URL of the inbox.'),
  waited: z.number().describe('Milliseconds that the step waited.'),
  count: z.int().min(0),
  shown: listOf(ReceivedRequest).describe('The first of them.'),
}).describe('Notifications that the step found in an inbox.');
export type StepNotifications = z.infer<typeof StepNotifications>;

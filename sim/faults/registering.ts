import type { OutgoingRequest } from '../dialects/outgoing-message.ts';
import { UnreachableError } from '../dialects/outgoing-message.ts';
import type { Fault } from './fault.ts';
import { changingShown } from './vocabulary/changed-answers.ts';

type Registration = Record<string, unknown>;

/** Changes what a registration says of this CSE. */
function saying(change: (registration: Registration) => Registration): NonNullable<Fault['wrapSender']> {
  return (sender) => ({
    send: (url, request, signal) => sender.send(url, changed(request, change), signal),
  });
}

function changed(request: OutgoingRequest, change: (registration: Registration) => Registration): OutgoingRequest {
  if (typeof request.body !== 'string') return request;
  const { 'm2m:csr': registration } = JSON.parse(request.body) as { 'm2m:csr'?: Registration };
  return registration === undefined
    ? request
    : { ...request, body: JSON.stringify({ 'm2m:csr': change(registration) }) };
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** How a gateway registers at its backend. */
export const registering: readonly Fault[] = [
  {
    id: 'registration.not-sent',
    violates: 'registration.plugin',
    says: 'A registration is never sent: the gateway only reads the base of the backend.',
    wrapSender: (sender) => ({
      async send(url, request, signal) {
        if (request.method !== 'POST') return sender.send(url, request, signal);
        await sender.send(url, { method: 'GET', target: request.target, headers: {} }, signal);
        throw new UnreachableError('a registration is not sent');
      },
    }),
  },
  {
    id: 'registration.labels.one-text',
    violates: 'registration.labels',
    says: 'The labels of a registration are sent as one text.',
    wrapSender: saying((registration) => ({ ...registration, lbl: listOf(registration.lbl).join(' ') })),
  },
  {
    id: 'registration.points-of-access.http',
    violates: 'registration.https-scheme',
    says: 'The points of access of a registration are shown with http although HTTPS is on.',
    wrap: changingShown('m2m:csr', (registration) => {
      if (registration.poa !== undefined) {
        registration.poa = listOf(registration.poa).map((url) => url.replace(/^https:/, 'http:'));
      }
    }),
  },
];

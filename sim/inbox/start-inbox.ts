/** An inbox at a port of its own, for CSEs of other processes. */
import { serveHttp } from '../bindings/http.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import type { Scheduler } from '../environment/clock.ts';
import { Inbox } from './inbox.ts';

export interface StartInboxOptions {
  /** A free one unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given. */
  readonly interface?: string;
  /** By which it waits; the system's unless given. */
  readonly clock?: Scheduler;
}

/** Listens when this resolves. Rejects with node's error for a port that is taken. */
export async function startInbox(options: StartInboxOptions = {}): Promise<Inbox> {
  const { port = 0, interface: host = '127.0.0.1', clock } = options;
  const later: { inbox?: Inbox } = {};
  const service: HttpService = {
    handle: (request) => answerTo(request, later.inbox),
    refuse: ({ http, message }) => {
      later.inbox?.noteRefusal(message);
      return { status: http, headers: {}, body: message };
    },
  };
  const server = await serveHttp(service, { port, interface: host });
  later.inbox = new Inbox({ url: server.url, ...(clock && { clock }), onClose: () => server.close() });
  return later.inbox;
}

function answerTo({ method, target, headers, body }: HttpRequest, inbox: Inbox | undefined): HttpResponse {
  if (inbox === undefined) return { status: 503, headers: {}, body: '' };
  if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, body: '' };
  return { status: 200, headers: inbox.receive({ target, headers, body }), body: '' };
}

/** A service for the tests of the bindings: answers with what it was handed. */
import type { CseError } from '../../core/status.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';

export interface EchoService extends HttpService {
  /** Targets in the order in which the requests were handed over. */
  readonly targets: string[];
  /** Lets the request for `/held/<name>` be answered. */
  release(name: string): void;
  /** Resolves when the request for the target has been handed over. */
  arrival(target: string): Promise<void>;
}

/** What the echo says about a request. */
export interface Echo {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function createEchoService(): EchoService {
  const targets: string[] = [];
  const held = new Map<string, () => void>();
  const expected = new Map<string, () => void>();
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    targets.push(request.target);
    expected.get(request.target)?.();
    if (request.target.startsWith('/held/')) {
      await new Promise<void>((resolve) => held.set(request.target, resolve));
    }
    return answerTo(request);
  };
  return {
    targets,
    // Not an async function: `/throws` is a failure before there is a promise.
    handle(request) {
      if (request.target === '/throws') throw new Error('thrown by the service');
      return handle(request);
    },
    refuse: refusalAnswer,
    release: (name) => held.get(`/held/${name}`)?.(),
    arrival: (target) =>
      targets.includes(target) ? Promise.resolve() : new Promise((resolve) => expected.set(target, resolve)),
  };
}

function answerTo(request: HttpRequest): HttpResponse {
  switch (request.target) {
    case '/rejects':
      throw new Error('rejected by the service');
    case '/split-header':
      return { status: 200, headers: { 'X-Broken': 'a\r\nX-Injected: b' }, body: '' };
    case '/no-content':
      return { status: 204, headers: {}, body: '' };
    case '/large':
      return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'é'.repeat(300_000) };
    default:
      return { status: 200, headers: { 'Content-Type': 'application/json', 'X-M2M-RSC': '2000' }, body: echo(request) };
  }
}

function echo({ method, target, headers, body }: HttpRequest): string {
  return JSON.stringify({ method, target, headers, body: new TextDecoder().decode(body) });
}

function refusalAnswer(error: CseError): HttpResponse {
  const allow = error.allow === undefined ? {} : { Allow: error.allow.join(', ') };
  return {
    status: error.http,
    headers: { 'Content-Type': 'application/json', 'X-M2M-RSC': String(error.status.code), ...allow },
    body: JSON.stringify({ 'm2m:dbg': error.message }),
  };
}

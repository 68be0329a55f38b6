/** OpenTelemetry spans for requests that a CSE receives and sends, where an application enables them. */

import type { Cse } from '../core/operations/cse.ts';
import { childTrace, readTrace, type Trace, traceHeaders } from '../core/trace-context.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import { displayUrl, type OutgoingRequest, type Sender } from '../dialects/outgoing-message.ts';
import { JournalAnswer, JournalEntry } from '../journal/entry.ts';

/** The used part of `@opentelemetry/api` 1.9: `import * as api from '@opentelemetry/api'`. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracerProvider(): TracerProvider;
    getActiveSpan(): Span | undefined;
    setSpan(context: unknown, span: Span): unknown;
    setSpanContext(context: unknown, spanContext: SpanContext): unknown;
  };
  readonly context: { active(): unknown; with<Result>(context: unknown, work: () => Result): Result };
  readonly ROOT_CONTEXT: { setValue(key: symbol, value: unknown): unknown };
  createContextKey(description: string): symbol;
  createTraceState(raw: string): { serialize(): string };
}

/** The API's own delegates to a registered one, or none. */
interface TracerProvider {
  getTracer(name: string): Tracer;
  getDelegateTracer?(name: string): Tracer | undefined;
}

interface Tracer {
  startSpan(name: string, options: SpanOptions, context: unknown): Span;
}

interface SpanOptions {
  readonly kind: number;
  readonly attributes: Attributes;
}

interface Span {
  spanContext(): SpanContext;
  isRecording(): boolean;
  updateName(name: string): unknown;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
  readonly traceState?: { serialize(): string };
}

type Attributes = Record<string, string | number>;

/** SpanKind and SpanStatusCode of the API: consumer and producer over MQTT, server and client over any other wire. */
const spanKinds = { process: { mqtt: 4, other: 1 }, send: { mqtt: 3, other: 2 } } as const;
const failed = 2;

export class Spans {
  readonly #api: OpenTelemetryApi;

  constructor(api: OpenTelemetryApi) {
    this.#api = api;
  }

  /** Undefined until the application has registered a provider. */
  get #tracer(): Tracer | undefined {
    const provider = this.#api.trace.getTracerProvider();
    return provider.getDelegateTracer ? provider.getDelegateTracer('cselab') : provider.getTracer('cselab');
  }

  /** Each request has a span, which is the parent of its consequences in this CSE, and active in the turn of its arrival. */
  wrapService(service: HttpService): HttpService {
    const { trace, context } = this.#api;
    return {
      refuse: (error) => service.refuse(error),
      handle: (request) => {
        const tracer = this.#tracer;
        if (tracer === undefined) return service.handle(request);
        const entry = new JournalEntry(request, { number: 0, at: 0, to: undefined });
        const parent = this.#contextOf(readTrace(request.headers), true);
        const span = tracer.startSpan(nameOf(entry), optionsOf(entry, 'process'), parent);
        if (entry.wire === 'http') span.setAttributes({ 'url.scheme': request.peer === undefined ? 'http' : 'https' });
        const end = (answer: HttpResponse) => {
          ended(span, entry, answer, 500);
          return answer;
        };
        const answer = context.with(trace.setSpan(parent, span), () => service.handle(within(request, traceOf(span))));
        return answer instanceof Promise ? answer.then(end) : end(answer);
      },
    };
  }

  /** Each sent request has a span, and names it as its cause. */
  wrapSender(sender: Sender, core: () => Cse): Sender {
    const { context, ROOT_CONTEXT, createContextKey } = this.#api;
    // Otherwise instrumentation of HTTP clients would add a second trace, and two are invalid.
    const untraced = ROOT_CONTEXT.setValue(createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING'), true);
    return {
      send: async (url, request, signal) => {
        const cause = readTrace(request.headers);
        const tracer = this.#tracer;
        const { randomText: random } = core().services.ports;
        if (tracer === undefined) return sender.send(url, within(request, cause && childTrace(cause, random)), signal);
        const { body = '', ...facts } = request;
        const entry = new JournalEntry({ ...facts, body }, { number: 0, at: 0, to: url });
        const span = tracer.startSpan(nameOf(entry), optionsOf(entry, 'send'), this.#contextOf(cause, false));
        try {
          const sent = within(request, traceOf(span));
          const answer = await context.with(untraced, () => sender.send(url, sent, signal));
          ended(span, entry, answer, 400);
          return answer;
        } catch (error) {
          failedWith(span, error as Error);
          throw error;
        }
      },
    };
  }

  /** The context of the cause, or of the span active in the calling application, unless ended: timers keep it. */
  #contextOf(cause: Trace | undefined, isRemote: boolean): unknown {
    const { trace, context, ROOT_CONTEXT, createTraceState } = this.#api;
    if (cause === undefined) return trace.getActiveSpan()?.isRecording() ? context.active() : ROOT_CONTEXT;
    const { id: traceId, parent: spanId, flags, state } = cause;
    return trace.setSpanContext(ROOT_CONTEXT, {
      ...{ traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote },
      ...(state !== undefined && { traceState: createTraceState(state) }),
    });
  }
}

function optionsOf(entry: JournalEntry, action: 'process' | 'send'): SpanOptions {
  const { wire, method, path, target, to, operation, originator, requestIdentifier } = entry;
  const attributes = {
    ...{ 'onem2m.operation': operation, 'url.path': path },
    ...(originator !== undefined && { 'onem2m.originator': originator }),
    ...(requestIdentifier !== undefined && { 'onem2m.request_id': requestIdentifier }),
    ...(wire === 'http' && { 'http.request.method': method }),
    ...(wire === 'mqtt' && { 'messaging.system': wire, 'messaging.operation.name': action }),
    ...((wire === 'ws' || wire === 'coap') && { 'network.protocol.name': wire === 'ws' ? 'websocket' : wire }),
    ...(to !== undefined && URL.canParse(to) && receiverAt(to, target)),
  };
  return { kind: spanKinds[action][wire === 'mqtt' ? wire : 'other'], attributes };
}

/** HTTP has methods without an operation. */
const nameOf = ({ operation, method }: JournalEntry) => (operation === 'other' ? method : operation);

function receiverAt(url: string, target: string): Attributes {
  const { hostname, port } = new URL(url);
  return {
    'url.full': displayUrl(url) + target,
    'server.address': hostname,
    ...(port && { 'server.port': Number(port) }),
  };
}

/** Undefined for a span without context: without a provider and a cause. */
function traceOf(span: Span): Trace | undefined {
  const { traceId: id, spanId: parent, traceFlags, traceState } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, '0');
  const state = traceState?.serialize();
  return readTrace(traceHeaders({ id, parent, flags, ...(state && { state }) }));
}

/** Replaces the trace headers. */
function within<T extends HttpRequest | OutgoingRequest>(request: T, trace: Trace | undefined): T {
  if (trace === undefined) return request;
  const { tracestate: _former, ...headers } = request.headers;
  return { ...request, headers: { ...headers, ...traceHeaders(trace) } };
}

/** The resource type is known after success only: a refused request may have any. */
function ended(span: Span, entry: JournalEntry, response: HttpResponse, minErrorStatus: 400 | 500): void {
  const answer = new JournalAnswer(response);
  const { status, code } = answer;
  if (span.isRecording()) {
    const root = status < 400 ? (entry.root ?? answer.root) : undefined;
    if (root !== undefined) span.updateName(`${nameOf(entry)} ${root}`);
    span.setAttributes({
      ...(root !== undefined && { 'onem2m.resource_type': root }),
      ...(code !== undefined && { 'onem2m.response_status_code': code }),
      ...(entry.wire === 'http' && { 'http.response.status_code': status }),
      ...(status >= minErrorStatus && { 'error.type': String(code ?? status) }),
    });
    if (status >= minErrorStatus) span.setStatus({ code: failed });
  }
  span.end();
}

function failedWith(span: Span, { name, message }: Error): void {
  span.setAttributes({ 'error.type': name });
  span.setStatus({ code: failed, message });
  span.end();
}

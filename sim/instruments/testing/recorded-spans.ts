/** A tracer provider that keeps what has ended, and a context manager, as the API of OpenTelemetry asks for them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  type ContextManager,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
}

export class SpanRecorder {
  readonly ended: EndedSpan[] = [];
  #made = 0;

  getTracer(): Tracer {
    const startSpan: Tracer['startSpan'] = (name, options = {}, context = ROOT_CONTEXT) => {
      const parent = trace.getSpanContext(context);
      const number = (++this.#made).toString(16);
      const own = { traceId: parent?.traceId ?? number.padStart(32, 'f'), spanId: number.padStart(16, 'c') };
      const state = parent?.traceState && { traceState: parent.traceState };
      return this.#span(name, options, parent, { ...own, traceFlags: TraceFlags.SAMPLED, ...state });
    };
    return { startSpan, startActiveSpan: () => undefined as never };
  }

  #span(first: string, options: object, parent: SpanContext | undefined, context: SpanContext): Span {
    const { kind = SpanKind.INTERNAL, attributes: initial = {} } = options as {
      kind?: SpanKind;
      attributes?: Attributes;
    };
    const known = { name: first, attributes: { ...initial }, status: { code: SpanStatusCode.UNSET } as SpanStatus };
    let isRecording = true;
    const span: Partial<Span> = {
      spanContext: () => context,
      isRecording: () => isRecording,
      updateName: (name) => Object.assign(known, { name }) && (span as Span),
      setAttributes: (more) => Object.assign(known.attributes, more) && (span as Span),
      setStatus: (status) => Object.assign(known, { status }) && (span as Span),
      end: () => {
        isRecording = false;
        this.ended.push({ ...known, kind, context, parent });
      },
    };
    return span as Span;
  }
}

export class ContextByTask implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = () => this.#storage.getStore() ?? ROOT_CONTEXT;
  with: ContextManager['with'] = (context, work, self, ...args) =>
    this.#storage.run(context, () => work.call(self as never, ...args));
  bind: ContextManager['bind'] = (_context, target) => target;
  enable = () => this;
  disable = () => this;
}

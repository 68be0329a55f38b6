/** Answers of our ports beside CSEs: JSON, and refusals in one sentence. */
import type { z } from 'zod';
import { SnapshotError } from '../core/operations/snapshot.ts';
import { UnknownDeviationError } from '../deviations/vocabulary/deviation.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import { DisturbanceRuleError } from '../disturbance/rule.ts';
import { millisecondsOf } from '../environment/clock.ts';

/** A request to such a port that is refused; becomes an answer where it is served. */
export class PortRefusal extends Error {
  override readonly name = 'PortRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The refusal that an error means; undefined for internal errors. */
function refusalIn(error: unknown): PortRefusal | undefined {
  if (error instanceof PortRefusal) return error;
  if (error instanceof SnapshotError) return new PortRefusal(400, `The snapshot does not fit: ${error.message}.`);
  const isUserError = error instanceof DisturbanceRuleError || error instanceof UnknownDeviationError;
  return isUserError ? new PortRefusal(400, error.message) : undefined;
}

/** Milliseconds. Throws a PortRefusal for an invalid duration. */
export function durationIn(text: string | number): number {
  try {
    return millisecondsOf(text);
  } catch (error) {
    throw error instanceof RangeError ? new PortRefusal(400, error.message) : error;
  }
}

/** The value in its form. Throws a PortRefusal with the first problem. */
export function inForm<T>(form: z.ZodType<T>, value: unknown): T {
  const checked = form.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new PortRefusal(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'it is wrong'}.`);
}

interface PortOptions {
  /** It throws a PortRefusal, or an internal error. */
  readonly answer: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
  /** Called with internal errors, which are answered with `failed` alone. */
  readonly onError: (error: unknown) => void;
  readonly failed: string;
}

/** The service of such a port. */
export function portService({ answer, onError, failed }: PortOptions): HttpService {
  return {
    refuse: ({ http, message }) => jsonAnswer(http, { error: message }),
    async handle(request) {
      try {
        return await answer(request);
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal === undefined) onError(error);
        const { status, message } = refusal ?? { status: 500, message: failed };
        return jsonAnswer(status, { error: message });
      }
    },
  };
}

export function jsonAnswer(status: number, content: unknown): HttpResponse {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(content) };
}

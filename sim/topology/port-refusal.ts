/** What ports of ours answer that are no CSE: JSON, and refusals in one sentence. */
import type { z } from 'zod';
import type { HttpResponse } from '../dialects/http-message.ts';

/** What is asked of such a port cannot be done; becomes an answer where it is served. */
export class PortRefusal extends Error {
  override readonly name = 'PortRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The value in its form. Throws a PortRefusal that says what is wrong first. */
export function inForm<T>(form: z.ZodType<T>, value: unknown): T {
  const checked = form.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new PortRefusal(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'it is wrong'}.`);
}

export function jsonAnswer(status: number, content: unknown): HttpResponse {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(content) };
}

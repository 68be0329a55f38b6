/** Faults that lie where answers become bytes: another way for an exchange than straight through the binding. */
import type { DetourFor, Exchange } from '../bindings/detour.ts';
import type { Writes } from '../deviations/deviation.ts';
import type { HttpResponse } from '../dialects/http-message.ts';

/** The first fault that does something with an answer decides. Undefined where there are none. */
export function faultyAnswers(faults: readonly Writes[]): DetourFor | undefined {
  if (faults.length === 0) return undefined;
  return () => ({
    isServed: true,
    take(answer, exchange) {
      if (answer !== undefined) write(answer, faults, exchange);
    },
  });
}

function write(answer: HttpResponse, faults: readonly Writes[], exchange: Exchange): void {
  const { response } = exchange;
  const { method = '', rawHeaders: headers } = response.req;
  for (const fault of faults) {
    const written = fault(answer, { method, headers });
    if (written === undefined) continue;
    if (written.framing === 'length' || response.destroyed) exchange.write(written.answer);
    else writeInChunks(written.answer, response);
    return;
  }
  exchange.write(answer);
}

/** node divides a body into chunks whose length it is not told. */
function writeInChunks({ status, headers, body }: HttpResponse, response: Exchange['response']): void {
  response.writeHead(status, { ...headers });
  response.write(body);
  response.end();
}

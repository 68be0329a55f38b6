import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import { foundIn } from '../vocabulary/messages.ts';
import { wayOf } from './variation.ts';
import type { Variation, WaysOf } from './variation-rows.ts';
import { variedAnswer } from './varied-answers.ts';

/** The service of a CSE with its answers varied, the last one outermost. */
export function varying(service: HttpService, variations: readonly Variation[]): HttpService {
  if (variations.length === 0) return service;
  const busy = busyAt(wayOf(variations, 'busy'));
  const found = wayOf(variations, 'found');
  return {
    async handle(request) {
      let answer = busy() ?? (await service.handle(request));
      if (found !== undefined) answer = await ordered(answer, found, request, service);
      return variations.reduce((varied, variation) => variedAnswer(varied, variation, request), answer);
    },
    refuse: (error) => service.refuse(error),
  };
}

/** So many requests are served, and then one is not. */
const often = 250;

/** Asked once for each request. */
function busyAt(way: WaysOf<'busy'> | undefined): () => HttpResponse | undefined {
  let served = 0;
  const isBusy = () => (way === 'one 503' ? served === often : served % often === 0);
  return () => {
    served += 1;
    if (way === undefined || !isBusy()) return undefined;
    const after = way === '429 with a date' ? new Date(Date.now() + 1000).toUTCString() : '1';
    return { status: way === 'one 503' ? 503 : 429, headers: { 'Retry-After': after }, body: '' };
  };
}

/** With what was found in another order; what `lim` and `ofst` leave is the same part of it. */
async function ordered(
  answer: HttpResponse,
  order: WaysOf<'found'>,
  request: HttpRequest,
  service: HttpService,
): Promise<HttpResponse> {
  const part = foundIn(answer.body);
  if (part === undefined) return answer;
  const whole = request.target.replace(/(?<=[?&])(lim|ofst)=[^&]*&?/g, '').replace(/[?&]$/, '');
  const all =
    (whole === request.target ? part : foundIn((await service.handle({ ...request, target: whole })).body)) ?? part;
  const start = Math.max(0, all.indexOf(part[0] ?? ''));
  const again = order === 'reversed' ? all.toReversed() : all.toSorted();
  return { ...answer, body: JSON.stringify({ 'm2m:uril': again.slice(start, start + part.length) }) };
}

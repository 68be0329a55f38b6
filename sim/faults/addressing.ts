import { readTimestamp, writeTimestamp } from '../dialects/timestamp.ts';
import type { Fault } from './fault.ts';
import { asked, isSuccess, sentIn, shownIn } from './vocabulary/asked.ts';
import { changingAnswers, handling, refusal, refusing } from './vocabulary/blocks.ts';

const notFound = { status: 404, code: 4004, says: 'There is no resource at this path.' };

/** Paths: the slash at the end, the path /, and the form that names the CSE. */
export const addressing: readonly Fault[] = [
  {
    id: 'content-instance.create.trailing-slash.not-found',
    violates: 'content-instance.create.trailing-slash',
    says: 'A content instance sent to an ordinary path with a slash at its end is refused with 404.',
    wrap: refusing(
      notFound,
      ({ method, slashAtEnd, ordinary }, request) =>
        method === 'POST' && slashAtEnd && ordinary && sentIn(request)?.kind === 'm2m:cin',
    ),
  },
  {
    id: 'content-instance.create.trailing-slash.redirected',
    violates: 'content-instance.create.trailing-slash',
    says: 'A content instance sent to an ordinary path with a slash at its end is answered by 301 and the path without it.',
    wrap: handling(async (request, service) => {
      const { method, slashAtEnd, ordinary, path } = asked(request);
      if (method !== 'POST' || !slashAtEnd || !ordinary || sentIn(request)?.kind !== 'm2m:cin') {
        return service.handle(request);
      }
      return { status: 301, headers: { Location: path }, body: '' };
    }),
  },
  {
    id: 'container.create-at-root.not-found',
    violates: 'container.create-at-root.answer',
    says: 'A request to create a container at the path / is refused with 404.',
    wrap: refusing(
      notFound,
      ({ method, path }, request) => method === 'POST' && path === '/' && sentIn(request)?.kind === 'm2m:cnt',
    ),
  },
  {
    id: 'sp-relative.retrieve.copy',
    violates: 'sp-relative.retrieve.same-resource',
    says: 'A path that names the CSE reads a copy, created and modified one second after the original.',
    wrap: changingAnswers((answer, { method, spRelative }) => {
      const shown = method === 'GET' && spRelative && isSuccess(answer) ? shownIn(answer.body) : undefined;
      if (shown === undefined) return undefined;
      const { kind, attributes } = shown;
      const times = { ct: later(attributes.ct), lt: later(attributes.lt) };
      return { ...answer, body: JSON.stringify({ [kind]: { ...attributes, ...times } }) };
    }),
  },
  {
    id: 'sp-relative.create.elsewhere',
    violates: 'sp-relative.create.same-tree',
    says: 'What is created by a path that names the CSE is not found by the path relative to the CSE base.',
    wrap: (service, core) => {
      const hidden = new Set<string>();
      return handling(async (request) => {
        const { method, path, spRelative } = asked(request);
        if (!spRelative && [...hidden].some((one) => path === one || path.startsWith(`${one}/`))) {
          return refusal(notFound);
        }
        const answer = await service.handle(request);
        const location = answer.headers['Content-Location'];
        const made = method === 'POST' && spRelative && isSuccess(answer);
        if (made && location !== undefined) hidden.add(location.replace(/^\/~\/[^/]+/, ''));
        return answer;
      })(service, core);
    },
  },
];

function later(timestamp: unknown): unknown {
  const read = typeof timestamp === 'string' ? readTimestamp(timestamp) : undefined;
  return read === undefined ? timestamp : writeTimestamp(read + 1_000_000);
}

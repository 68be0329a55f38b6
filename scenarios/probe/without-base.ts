import type { Search } from './find-base.ts';
import { type Outcome, quoted } from './finding.ts';

interface Missing {
  readonly outcome: Outcome;
  readonly says: string;
  readonly findings: readonly [];
}

/** What can be said where no CSE base was read. */
export function missing(search: Exclude<Search, { kind: 'base' }>, interrupted: boolean): Missing {
  if (interrupted) return { outcome: 'interrupted', says: 'interrupted before a CSE base was found', findings: [] };
  const outcome =
    search.kind === 'silent' && search.seen.exchange.failure?.kind !== 'malformed' ? 'unreachable' : 'no cse';
  return { outcome, says: sentence(search, outcome), findings: [] };
}

function sentence(search: Exclude<Search, { kind: 'base' }>, outcome: Outcome): string {
  const { evidence, view } = search.seen;
  if (search.kind === 'silent') {
    return outcome === 'unreachable'
      ? `it does not answer: ${evidence}`
      : `it does not answer as a CSE would: ${evidence}`;
  }
  if (search.kind === 'refused') {
    return `${search.path} may not be read by the originators that were tried (${evidence}): give --originator or --admin`;
  }
  if (search.cse)
    return `it answers as a CSE does, but no CSE base was found at ${search.tried.join(', ')}: give --base`;
  return `it answers, but as no CSE does (${evidence}${remedy(view.status, view.headers.get('location'))})`;
}

function remedy(status: number | undefined, location: string | undefined): string {
  if (location !== undefined) return `, to ${quoted(location)}`;
  if (status === 401 || status === 407) return "; perhaps it wants a header: give -H 'Name: value'";
  return status === 403 ? '; perhaps it demands a client certificate: give --cert and --key' : '';
}

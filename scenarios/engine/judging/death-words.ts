import type { Death, DeathKind, LostRequest } from '../results/result.ts';

const happened: Readonly<Record<DeathKind, string>> = {
  died: 'the target died',
  hangs: 'the target hung: it took connections and answered nothing',
  closes: 'the target went silent: it closed every connection without an answer',
  unavailable: 'the target went away: what stands before it answered that it is unavailable',
  drops: 'the target dropped connections, as one that dies and is back at once',
};

/** Requests that a sentence names. */
const named = 3;

/** What became of the target in one sentence, such as `the target died: POST /onem2m killed it, and again alone`. */
export function deathSentence(deaths: readonly Death[]): string | undefined {
  const [first] = deaths;
  if (first === undefined) return undefined;
  const [last = first] = deaths.slice(-1);
  const gone = last.backAfter === undefined ? ', and it has not come back' : '';
  if (deaths.length === 1) return `${happened[first.kind]}${causeOf(first)}${gone}`;
  const culprits = deaths.flatMap(({ culprit }) => culprit ?? []);
  const kinds = new Set(deaths.map(({ kind }) => kind));
  const what = kinds.size === 1 ? happened[first.kind].replace(/:.*/, '') : 'the target stopped answering';
  const of = culprits.length === 0 ? ', culprit not proved' : `: ${listed(culprits)} killed it`;
  return `${what} ${deaths.length} times${of}${gone}`;
}

function causeOf({ culprit, inFlight }: Death): string {
  if (culprit !== undefined) {
    const seen = culprit.seen === 'again' ? ', and again alone' : ', the only request under way';
    return `: ${requestText(culprit)} killed it${seen}`;
  }
  if (inFlight.length === 0) return ', with no request under way';
  return ` with ${listed(inFlight)} under way, culprit not proved`;
}

/** Method and path: there is no status. */
export function requestText({ method, path }: Pick<LostRequest, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function listed(requests: readonly LostRequest[]): string {
  const all = [...new Set(requests.map(requestText))];
  const more = all.length - named;
  return more > 0 ? `${all.slice(0, named).join(', ')} and ${more} more` : all.join(', ');
}

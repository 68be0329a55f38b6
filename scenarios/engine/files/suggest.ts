/** "Did you mean …": the known words nearest to an unknown one, best first; empty when none is near. */
export function nearest(word: string, known: Iterable<string>, most = 3): string[] {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(word.length / 3));
  const near = [...new Set(known)]
    .map((candidate) => ({ candidate, distance: nearness(wanted, candidate.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate));
  const best = near[0]?.distance ?? 0;
  return near
    .filter(({ distance }) => distance <= best + 1)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** `; did you mean "x" or "y"?`, or an empty text. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const words = nearest(word, known).map((candidate) => `"${candidate}"`);
  return words.length === 0 ? '' : `; did you mean ${words.join(' or ')}?`;
}

/** A word that contains the other is just near enough. */
function nearness(wanted: string, candidate: string, limit: number): number {
  const contains = wanted.length >= 4 && (candidate.includes(wanted) || wanted.includes(candidate));
  const distance = editDistance(wanted, candidate);
  return contains ? Math.min(limit, distance) : distance;
}

function editDistance(wanted: string, candidate: string): number {
  let row = Array.from({ length: candidate.length + 1 }, (_, index) => index);
  for (let i = 1; i <= wanted.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= candidate.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (wanted[i - 1] === candidate[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[candidate.length] ?? 0;
}

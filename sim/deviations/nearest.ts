/** The known word with the fewest letters to change, add or remove; the first of several. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const distances = known.map((candidate) => distance(word, candidate));
  return known[distances.indexOf(Math.min(...distances))];
}

/** Letters to change, add or remove. */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

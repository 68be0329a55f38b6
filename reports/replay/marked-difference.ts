/** Two texts with the part marked in which they differ: what they begin and end with alike stays unmarked. */
export function markedDifference(before: string, now: string): { readonly before: string; readonly now: string } {
  if (before === now) return { before, now };
  const [a, b] = [[...before], [...now]];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { before: marked(a, start, end), now: marked(b, start, end) };
}

function marked(characters: readonly string[], start: number, end: number): string {
  const until = characters.length - end;
  const [head, middle, tail] = [characters.slice(0, start), characters.slice(start, until), characters.slice(until)];
  return `${head.join('')}«${middle.join('')}»${tail.join('')}`;
}

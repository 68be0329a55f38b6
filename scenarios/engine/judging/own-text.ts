/** The same text in memory of its own: a part that is cut from a text keeps all of it in memory. */
export function ownText(part: string): string {
  return Buffer.from(part, 'utf8').toString('utf8');
}

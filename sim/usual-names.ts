/** How CSEs are called where nobody says otherwise. */
export const usualNames = {
  documented: { gateway: { base: 'onem2m', cseId: 'mn-cse-1' }, backend: { base: 'onem2m', cseId: 'in-cse-1' } },
  onem2m: { gateway: { base: 'cse-mn', cseId: 'id-mn' }, backend: { base: 'cse-in', cseId: 'id-in' } },
} as const;

/** The identifier of a further gateway, which counts on from that of the first. */
export function numberedId(first: string, index: number): string {
  return index === 0 ? first : `${first.replace(/-?\d+$/, '')}-${index + 1}`;
}

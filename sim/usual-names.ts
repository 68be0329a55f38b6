/** How CSEs are called where nobody says otherwise. */
export const usualNames = {
  documented: { gateway: { base: 'onem2m', cseId: 'mn-cse-1' }, backend: { base: 'onem2m', cseId: 'in-cse-1' } },
  onem2m: { gateway: { base: 'cse-mn', cseId: 'id-mn' }, backend: { base: 'cse-in', cseId: 'id-in' } },
} as const;

/** What the exit code of an exploration means. */
export const exitWords = {
  0: 'Nothing found',
  1: 'Not conformant',
  2: 'Not run',
  3: 'No verdict',
  4: 'Inconclusive',
  130: 'Interrupted',
} as const;

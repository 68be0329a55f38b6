/** What each door of the package is here. The file `README.md` of its room holds its reference. */
export const doors: Readonly<Record<string, string>> = {
  cselab: 'sim/index.ts',
  'cselab/msw': 'sim/msw.ts',
  'cselab/playwright': 'sim/playwright.ts',
  'cselab/testcontainers': 'sim/testcontainers.ts',
  'cselab/harness': 'scenarios/index.ts',
};

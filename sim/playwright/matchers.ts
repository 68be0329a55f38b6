/** `expect` of Playwright Test, which knows journals too. */
import { expect as usual } from '@playwright/test';
import type { RequestCriteria } from '../journal/criteria.ts';
import type { RequestJournal, WaitOptions } from '../journal/journal.ts';
import { RequestExpectationError } from '../journal/near-miss.ts';

/** A CSE of a pair, or one in memory. */
interface Journaled {
  readonly requests: RequestJournal;
}

/**
 * That of Playwright Test, with `await expect(gateway).toHaveReceived({ method: 'POST', path: /temperature$/, content: 21 })`: a request that is
 * so has come, or comes in time (1 second of the CSE's clock unless `within` says otherwise). A failure names the nearest request
 * and what is different in it. With `not`, none has come until now.
 */
export const expect = usual.extend({
  async toHaveReceived(cse: Journaled, criteria: RequestCriteria, options: WaitOptions = {}) {
    try {
      if (this.isNot) cse.requests.expectNoRequest(criteria);
      else await cse.requests.expectRequest(criteria, options);
    } catch (error) {
      if (!(error instanceof RequestExpectationError)) throw error;
      return { pass: this.isNot, message: () => error.message };
    }
    return { pass: !this.isNot, message: () => '' };
  },
});

/** For the `expect` of test runners; `sim/matchers.ts` is its entry point. */

import { isDeepStrictEqual } from 'node:util';
import type { NotificationCriteria, RequestCriteria } from '../journal/criteria.ts';
import type { RequestJournal, WaitOptions } from '../journal/journal.ts';
import { RequestExpectationError } from '../journal/near-miss.ts';
import type { PairMember } from '../topology/pair-member.ts';
import { NoSuchResourceError, type TreeView } from '../tree-view/tree-view.ts';

/** A CSE of a pair, or one in memory. */
export interface WatchedCse {
  readonly requests: RequestJournal;
  readonly sent: RequestJournal;
  readonly tree: TreeView;
}

/** Assertions after `expect(cse)`, also with `not`: then they have not held until now. */
export interface CselabMatchers {
  /** Such a request was received, or is in time (within 1 second of the CSE's clock unless given). A failure names the nearest one. */
  toHaveReceived(criteria: RequestCriteria, options?: WaitOptions): Promise<void>;
  /** The same for requests that the CSE itself sends. */
  toHaveSent(criteria: RequestCriteria, options?: WaitOptions): Promise<void>;
  /** The same for a notification, alone or among several in one request. */
  toHaveNotified(criteria: NotificationCriteria, options?: WaitOptions): Promise<void>;
  /** A resource is at this address as `tree.find` takes it, with at least these attributes, by their short names. */
  toHaveResource(address: string, attributes?: Readonly<Record<string, unknown>>): void;
  /** A gateway of a pair is registered at its backend. A failure says why it is not. */
  toBeRegistered(): void;
}

/** For the runner. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What the runner passes to a matcher. */
export interface MatcherContext {
  readonly isNot?: boolean;
}

type Sender = Pick<WatchedCse, 'sent'>;

/** For `expect.extend`. */
export const matchers = {
  toHaveReceived(
    this: MatcherContext,
    cse: Pick<WatchedCse, 'requests'>,
    criteria: RequestCriteria,
    options?: WaitOptions,
  ) {
    return matchRequest(this, partOf(cse, 'requests'), criteria, options);
  },
  toHaveSent(this: MatcherContext, cse: Sender, criteria: RequestCriteria, options?: WaitOptions) {
    return matchRequest(this, partOf(cse, 'sent'), criteria, options);
  },
  toHaveNotified(this: MatcherContext, cse: Sender, criteria: NotificationCriteria, options?: WaitOptions) {
    return matchRequest(this, partOf(cse, 'sent'), { operation: 'notify', notification: criteria }, options);
  },
  toHaveResource(cse: Pick<WatchedCse, 'tree'>, address: string, attributes: object = {}): MatcherResult {
    return matchResource(partOf(cse, 'tree'), address, attributes);
  },
  toBeRegistered(member: Pick<PairMember, 'registered' | 'cseId'>): MatcherResult {
    const registered = partOf(member, 'registered');
    const { cseId } = member;
    const pass = registered === true;
    const message = pass
      ? `${cseId} is registered, which was not expected`
      : `${cseId} is not registered: ${registered}`;
    return { pass, message: () => message };
  },
};

/** Runners take any value. Throws a TypeError for one without this part: a whole pair would count as not registered. */
function partOf<Watched extends object, Name extends keyof Watched & string>(watched: Watched, name: Name) {
  const part = watched[name];
  if (part === undefined) throw new TypeError(`expect() needs a CSE with ${name}, such as pair.gateway`);
  return part;
}

async function matchRequest(
  { isNot = false }: MatcherContext,
  journal: RequestJournal,
  criteria: RequestCriteria,
  options: WaitOptions = {},
): Promise<MatcherResult> {
  try {
    if (isNot) journal.expectNoRequest(criteria);
    else await journal.expectRequest(criteria, options);
  } catch (error) {
    if (!(error instanceof RequestExpectationError)) throw error;
    return { pass: isNot, message: () => error.message };
  }
  return { pass: !isNot, message: () => '' };
}

function matchResource(tree: TreeView, address: string, attributes: object): MatcherResult {
  try {
    const { path, attributes: known } = tree.get(address);
    const differing = Object.entries(attributes).filter(([name, value]) => !isDeepStrictEqual(known[name], value));
    if (differing.length === 0) return { pass: true, message: () => `${path} exists, which was not expected.` };
    const lines = differing.map(
      ([name, value]) => `  ${name}: expected ${JSON.stringify(value)}, was ${JSON.stringify(known[name])}`,
    );
    return { pass: false, message: () => `${path} is not as expected:\n${lines.join('\n')}` };
  } catch (error) {
    if (!(error instanceof NoSuchResourceError)) throw error;
    return { pass: false, message: () => error.message };
  }
}

/** Which requests make and change groups, and how faults of the standard show these. */
import type { Wrap } from '../fault.ts';
import type { Attributes } from './asked.ts';
import { creating, type Exchange, giving, updating, type When } from './standard-exchanges.ts';
import { showing, tellingFromThenOn } from './standard-shown.ts';

export const root = 'm2m:grp';
export const created = creating(root);
export const updated = updating(root);

export const membersIn = (attributes: Attributes | undefined): readonly unknown[] =>
  Array.isArray(attributes?.mid) ? attributes.mid : [];

export const givenMembers = ({ given }: Pick<Exchange, 'given'>) => membersIn(given?.attributes);

/** Whether the answer lists less members than were given. */
export const isShorter = ({ given, shown }: Exchange) =>
  membersIn(shown?.attributes).length < membersIn(given?.attributes).length;
/** `mt` as it was given. */
export const typeGiven = ({ given }: Exchange) => given?.attributes.mt;

/** A group that is created is answered otherwise where this is true of the exchange. */
export const createdAs = (
  when: When<Exchange>,
  change: (attributes: Attributes, exchange: Exchange) => Attributes,
): Wrap => showing((exchange) => created(exchange) && when(exchange), change);

/** What is told of a group from an update of its members on. */
export const updatedAs = (when: (exchange: Exchange) => boolean, tell: (exchange: Exchange) => Attributes): Wrap =>
  tellingFromThenOn((exchange) =>
    updated(exchange) && giving('mid')(exchange) && when(exchange) ? tell(exchange) : undefined,
  );

/** Whether a member is given twice. */
export function isDuplicated(exchange: Pick<Exchange, 'given'>): boolean {
  const members = givenMembers(exchange);
  return new Set(members).size < members.length;
}

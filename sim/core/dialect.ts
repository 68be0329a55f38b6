/** What the core asks of a dialect: how values look on the wire, and which defaults hold. */
import type { AttributeType, Unreadable, Value } from './attribute-types.ts';
import type { Operation } from './primitive.ts';
import type { DialectName } from './resource-type.ts';

export interface Dialect {
  readonly name: DialectName;
  /** From a JSON value to the value that the core keeps. */
  read(type: AttributeType, value: unknown): Value | Unreadable;
  /** From the core's value to a JSON value; undefined leaves the attribute out. */
  write(type: AttributeType, value: Value | undefined): unknown;
  /** True for what stands for "not given" in a create. */
  isAbsent(value: unknown): boolean;
  /** What a create says with null of something that it may not give: nothing, or it is refused. */
  readonly nullInCreate: 'absent' | 'refused where no value may be given';
  /** What the absent value means in an update (`gaps`, rows 10 and 11). */
  readonly absentInUpdate: 'no change' | 'removal';
  /** The result content (`rcn`) that holds when the request names none. */
  readonly resultContent: Readonly<Record<Operation, number>>;
  /** Result content of a discovery that names none. */
  readonly discoveryResult: number;
  /**
   * Addresses in the content of an answer: in the form in which the request addressed the CSE, or CSE-relative, since who asks knows
   * the CSE (TS-0004, clause 6.2.4), unless it asks from elsewhere.
   */
  readonly addressesInContent: 'as addressed' | 'CSE-relative';
  /** What `rcn` 5 and 6 refer to where no criteria say which. */
  readonly references: 'children' | 'descendants';
  /** What a CSE answers that has no other to ask about a CSE that it does not know. */
  readonly unknownCse: 'not reachable' | 'not found';
  /** Whether the CSE base itself takes notifications (TS-0004, clause 7.3.3.9.2). */
  readonly takesNotifications: boolean;
  /** Whether the subscriber (`su`) hears of the end of a subscription before or after who has deleted it has the answer. */
  readonly subscriberHears: 'before the answer' | 'after the answer';
  /** What `/cse` alone addresses, with nothing behind it. */
  readonly bareCseId: 'the CSE base' | 'nothing';
  /** An earlier `et` of a resource with children that would outlive it: draws them in, or is refused. */
  readonly earlierExpiration: 'draws children in' | 'refused above later children';
  /** True: filter criteria of a retrieve whose answer shows children say which of them; false: they are a condition only. */
  readonly criteriaSelectChildren: boolean;
  /** Resource identifiers: a counter for each kind, or random texts; an AE's is then its AE identifier (`gaps`, row 1). */
  readonly identifiers: 'counted' | 'random';
  /** Whether `cr` of a container is set without being asked for; `nobody` stands for a missing originator. */
  readonly creator: 'always' | 'when asked';
  /** `cnf` of a content instance that names none. */
  readonly contentFormat: string | undefined;
  /** `st` of a content instance: its own count, or the container's at its creation. */
  readonly instanceStateTag: 'own' | 'of its container';
  /** Who has which rights where no policy says so: the owner all; or everybody may retrieve and discover, too. */
  readonly defaultRights: 'of the owner' | 'everybody reads';
  /** `mid` of a group: as it was given, or by resource identifiers. */
  readonly memberIdentifiers: 'as given' | 'by identifier';
}

/** A received notification, for tests (TS-0004, clause 7.5.1). */

import { decodeContent } from '../dialects/content.ts';
import { asMembers, JournalMessage, type Members, type MessageParts, notified } from './message.ts';

export interface NotificationFacts extends MessageParts {
  /** Path and query at which it arrived. */
  readonly target: string;
  /** Microseconds since 1970 UTC. */
  readonly at: number;
}

export class ReceivedNotification {
  /** Path and query of the URL at which it arrived. */
  readonly target: string;
  /** Microseconds since 1970 UTC. */
  readonly at: number;
  /** X-M2M-Origin. */
  readonly originator: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `m2m:sgn`, as sent. */
  readonly sgn: Members;

  constructor(
    facts: Pick<NotificationFacts, 'target' | 'at'>,
    headers: Readonly<Record<string, string>>,
    sgn: Members,
  ) {
    this.target = facts.target;
    this.at = facts.at;
    this.headers = headers;
    this.originator = headers['x-m2m-origin'];
    this.sgn = sgn;
  }

  /** `sur`: the subscription, in the CSE's address form; undefined without one. */
  get subscription(): string | undefined {
    return typeof this.sgn.sur === 'string' ? this.sgn.sur : undefined;
  }

  /** `vrq`: it only asks whether the target accepts notifications. */
  get isVerification(): boolean {
    return this.sgn.vrq === true;
  }

  /** `sud`: it reports that the subscription was deleted. */
  get isDeletion(): boolean {
    return this.sgn.sud === true;
  }

  /** `net`: 1 update, 2 deletion, 3 creation of a child, 4 deletion of a child, 5 retrieval of a missing child … */
  get eventType(): number | undefined {
    const { net } = asMembers(this.sgn.nev);
    return typeof net === 'number' ? net : undefined;
  }

  /** `rep`: `{ 'm2m:cin': { … } }`, or as the subscription requests; undefined when there is none. */
  get representation(): unknown {
    return asMembers(this.sgn.nev).rep;
  }

  /** Root key of the representation: `m2m:cin`. */
  get root(): string | undefined {
    const [root] = Object.keys(asMembers(this.representation));
    return root;
  }

  /** Attributes of the resource in it; empty without one. */
  get attributes(): Members {
    return notified(this.sgn);
  }

  /** Content of a content instance, decoded by its marker; undefined for other resources. */
  get content(): unknown {
    return decodeContent(this.attributes);
  }
}

/** The notifications in a request: one, or several aggregated (`m2m:agn`); none in others. */
export function notificationsIn(facts: NotificationFacts): ReceivedNotification[] {
  const message = new JournalMessage(facts);
  const body = asMembers(message.json);
  const one = body['m2m:sgn'];
  const gathered = asMembers(body['m2m:agn'])['m2m:sgn'];
  const found = one === undefined ? (Array.isArray(gathered) ? gathered : []) : [one];
  return found.map((sgn) => new ReceivedNotification(facts, message.headers, asMembers(sgn)));
}

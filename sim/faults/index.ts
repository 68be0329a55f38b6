/** The only list of faults. */
import type { RefusedKind } from '../../certs/pki.ts';
import type { Cse } from '../core/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { access } from './access.ts';
import { addressing } from './addressing.ts';
import { attributeValues } from './attribute-values.ts';
import { belowHttp } from './below-http.ts';
import { certificates } from './certificates.ts';
import { childrenLists } from './children-lists.ts';
import { content } from './content.ts';
import { counters } from './counters.ts';
import { discovery } from './discovery.ts';
import { type Fault, UnknownFaultError, type Writes } from './fault.ts';
import { identifiers } from './identifiers.ts';
import { latest } from './latest.ts';
import { missingAttributes } from './missing-attributes.ts';
import { nearest } from './nearest.ts';
import { pairs } from './pairs.ts';
import { registering } from './registering.ts';
import { removal } from './removal.ts';
import { standardAccess } from './standard/access.ts';
import { standardResources } from './standard/resources.ts';
import { standardTelling } from './standard/telling.ts';
import { stateful } from './stateful/stateful.ts';
import { statuses } from './statuses.ts';
import { times } from './times.ts';
import { wireShapes } from './wire-shapes.ts';

export const faults: readonly Fault[] = [
  ...missingAttributes,
  ...attributeValues,
  ...identifiers,
  ...times,
  ...childrenLists,
  ...counters,
  ...content,
  ...wireShapes,
  ...statuses,
  ...addressing,
  ...latest,
  ...removal,
  ...discovery,
  ...access,
  ...certificates,
  ...registering,
  ...standardResources,
  ...standardTelling,
  ...standardAccess,
  ...belowHttp,
  ...stateful,
  ...pairs,
];

const byId: ReadonlyMap<string, Fault> = new Map(faults.map((fault) => [fault.id, fault]));

/** The service with these faults around it, the last one outermost; an UnknownFaultError for an id that none has. */
export function withFaults(service: HttpService, core: Cse, ids: readonly string[]): HttpService {
  return ids.reduce((inner, id) => faultCalled(id).wrap?.(inner, core) ?? inner, service);
}

/** What the CSE sends, with those of the faults around it that are about it; an UnknownFaultError as above. */
export function withSendingFaults(sender: Sender, core: Cse, ids: readonly string[]): Sender {
  return ids.reduce((inner, id) => faultCalled(id).wrapSender?.(inner, core) ?? inner, sender);
}

/** What is wrong on purpose with the certificate that the CSE presents; undefined when nothing is. */
export function presentedBy(ids: readonly string[]): RefusedKind | undefined {
  return ids.map((id) => faultCalled(id).presents).find((kind) => kind !== undefined);
}

/** What these faults do to answers where they become bytes. */
export function writesOf(ids: readonly string[]): readonly Writes[] {
  return ids.flatMap((id) => faultCalled(id).writes ?? []);
}

function faultCalled(id: string): Fault {
  const fault = byId.get(id);
  if (fault !== undefined) return fault;
  throw new UnknownFaultError(`There is no fault called "${id}"; the nearest is "${nearest(id, [...byId.keys()])}".`);
}

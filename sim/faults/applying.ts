/** What chosen faults do to a CSE. Their list is long: an installation without any never loads it. */
import type { RefusedKind } from '../../certs/pki.ts';
import type { Cse } from '../core/cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { type Fault, UnknownFaultError, type Writes } from './fault.ts';
import { nearest } from './nearest.ts';

const known = new Map<string, Fault>();

/** Said once, by the list. */
export function know(faults: readonly Fault[]): void {
  for (const fault of faults) known.set(fault.id, fault);
}

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

/** An UnknownFaultError for an id that none has. */
export function faultCalled(id: string): Fault {
  const fault = known.get(id);
  if (fault !== undefined) return fault;
  throw new UnknownFaultError(`There is no fault called "${id}"; the nearest is "${nearest(id, [...known.keys()])}".`);
}

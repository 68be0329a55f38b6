import { addressOf, pathOf } from '../created/address.ts';
import type { GeneratedResource } from '../created/resource.ts';
import { takeShown } from './looks.ts';
import { ask, type Came, type Move, type Part } from './move.ts';
import type { MoveContext } from './move-context.ts';

/** A read by the path relative to the CSE base. */
export function* read(
  resource: GeneratedResource,
  context: MoveContext,
  { by = context.words.asker(resource), operation = 'retrieve' }: { by?: string; operation?: string } = {},
): Part<Came> {
  const came = yield ask({ retrieve: pathOf(resource, context.created) }, operation, { by, kind: resource.kind });
  takeShown(resource, came);
  return came;
}

/** The same read in another form of address, where that can be told. */
export function* readIn(form: string, resource: GeneratedResource, { created }: MoveContext): Move {
  const retrieve = addressOf(resource, form, created);
  if (retrieve === undefined) return;
  const { outcome } = yield ask({ retrieve }, 'retrieve', { kind: resource.kind, form });
  if (form === 'SP-relative' && outcome === 'success') resource.readBySpRelative = true;
}

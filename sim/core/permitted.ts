/** Which operations an address takes, whoever asks. */
import type { Address } from './address.ts';
import type { Operation } from './primitive.ts';
import { CseError, OPERATION_NOT_ALLOWED } from './status.ts';

// TS-0001, clauses 9.6.6 and 9.6.7: latest and oldest can be retrieved and deleted, nothing else.
const ofVirtual: readonly Operation[] = ['retrieve', 'delete'];

export function operationsAt({ resource, virtual, handler }: Address): readonly Operation[] {
  if (handler !== undefined) return handler.virtual.operations;
  if (virtual) return ofVirtual;
  const { operations, children } = resource.type;
  return children.length > 0 ? ['create', ...operations] : operations;
}

export function checkOperation(operation: Operation, address: Address): void {
  const { operations } = address.handler?.virtual ?? address.resource.type;
  // Below what takes no children a create is refused by the kind of the child, not by the operation.
  const possible =
    (operation === 'create' && address.handler === undefined) ||
    operation === 'notify' ||
    (operations as readonly Operation[]).includes(operation);
  if (!possible) refuse(operation, operationsAt(address));
  if (address.virtual) checkVirtual(operation);
}

/** What `latest` and `oldest` take, whether there is an instance or not. */
export function checkVirtual(operation: Operation): void {
  if (!ofVirtual.includes(operation)) refuse(operation, ofVirtual);
}

function refuse(operation: Operation, allow: readonly Operation[]): never {
  throw new CseError(OPERATION_NOT_ALLOWED, `${operation} is not allowed here.`, { allow });
}

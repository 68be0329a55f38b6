import type { KnownResource } from './known-resource.ts';
import type { SeenExchange } from './seen-exchange.ts';

const mostValues = 2_000;

type AttributeValues = Readonly<Record<string, unknown>>;

/** Requests that the CSE accepted, which it therefore supports (TS-0004 7.3.3.3). The root stands for the resource type. */
export class AcceptedRequests {
  readonly #creations = new Set<string>();
  readonly #values = new Set<string>();

  /** Takes note of an accepted create or update, and its resource. */
  note(
    { request }: { readonly request: Pick<SeenExchange['request'], 'operation' | 'root' | 'attributes'> },
    { type, parent }: Pick<KnownResource, 'type' | 'parent'>,
  ): void {
    const { operation, root = type, attributes = {} } = request;
    if (operation === 'create') remember(this.#creations, creationKey(root, parent, attributes));
    for (const [name, value] of Object.entries(attributes))
      remember(this.#values, valueKey(root, operation, name, value));
  }

  /** Whether a creation with all these attributes but the name was accepted below a parent of this type: single ones may not combine. */
  hasCreated(root: string | undefined, parent: KnownResource, attributes: AttributeValues): boolean {
    return this.#creations.has(creationKey(root, parent, attributes));
  }

  hasAll(root: string | undefined, operation: string, attributes: ReadonlyArray<readonly [string, unknown]>): boolean {
    return attributes.every(([name, value]) => this.#values.has(valueKey(root, operation, name, value)));
  }
}

/** Keeps the latest values, however long a recording is. */
function remember(values: Set<string>, value: string): void {
  values.delete(value);
  values.add(value);
  for (const oldest of values) {
    if (values.size <= mostValues) return;
    values.delete(oldest);
  }
}

function creationKey(
  root: string | undefined,
  parent: KnownResource | undefined,
  { rn: _rn, ...attributes }: AttributeValues,
): string {
  return JSON.stringify([parent?.type ?? 'base', root, ...Object.entries(attributes).sort()]);
}

function valueKey(root: string | undefined, operation: string, name: string, value: unknown): string {
  return JSON.stringify([root, operation, name, value]);
}

/** A read-only view of one resource. */

import type { Cse } from '../core/operations/cse.ts';
import { attributesOf, type Resource } from '../core/resource.ts';
import { attributeNamed } from '../core/resource-type.ts';
import { decodeContent } from '../dialects/content.ts';

/** A resource as it is at the moment of each access; nothing can be changed through it. */
export class ResourceView {
  readonly #resource: Resource;
  readonly #cse: Cse;

  /** From `TreeView`. */
  constructor(resource: Resource, cse: Cse) {
    this.#resource = resource;
    this.#cse = cse;
  }

  /** Names from the CSE base down: `/onem2m/App/temperature`, as a request target. */
  get path(): string {
    return `/${this.#resource.path}`;
  }

  /** `rn`. */
  get name(): string {
    return this.#resource.name;
  }

  /** `ri`. */
  get id(): string {
    return this.#resource.id;
  }

  /** Number of its resource type: 2 for an AE, 3 for a container … */
  get ty(): number {
    return this.#resource.type.ty;
  }

  /** Root key of its representation: `m2m:ae`, `m2m:cnt` … */
  get root(): string {
    return this.#resource.type.root;
  }

  /** Long name of its resource type: `AE`, `container`, `contentInstance` … */
  get typeName(): string {
    return this.#resource.type.longName;
  }

  /** As retrieved, by their short names: `{ rn: 'temperature', mni: 100, … }`. */
  get attributes(): Readonly<Record<string, unknown>> {
    return attributesOf(this.#resource, this.#cse.configuration.dialect);
  }

  /** The same by their long names: `{ resourceName: 'temperature', maxNrOfInstances: 100, … }`. */
  get longAttributes(): Readonly<Record<string, unknown>> {
    const { attributes } = this.#resource.type;
    const entries = Object.entries(this.attributes);
    return Object.fromEntries(entries.map(([short, value]) => [attributes[short]?.long ?? short, value]));
  }

  /** The value of the attribute of this name, short or long; undefined when it is not set. */
  get(attribute: string): unknown {
    const short = attributeNamed(this.#resource.type, attribute);
    return short === undefined ? undefined : this.attributes[short];
  }

  get labels(): readonly string[] {
    return this.#resource.labels ?? [];
  }

  get created(): Date {
    return new Date(this.#resource.created / 1000);
  }

  get modified(): Date {
    return new Date(this.#resource.modified / 1000);
  }

  /** Undefined when it never expires. */
  get expires(): Date | undefined {
    const { expires } = this.#resource;
    return Number.isFinite(expires) ? new Date(expires / 1000) : undefined;
  }

  /** Undefined for the CSE base. */
  get parent(): ResourceView | undefined {
    const { parent } = this.#resource;
    return parent && new ResourceView(parent, this.#cse);
  }

  /** In the order of their creation, instances among them. */
  get children(): readonly ResourceView[] {
    return this.#views(this.#resource.children?.values() ?? []);
  }

  /** Instances of a container, the oldest first; empty for everything else. */
  get instances(): readonly ResourceView[] {
    return this.#views(this.#resource.instances ?? []);
  }

  /** The newest instance; undefined when there is none. */
  get latest(): ResourceView | undefined {
    return this.#view(this.#resource.instances?.last);
  }

  /** The oldest instance; undefined when there is none. */
  get oldest(): ResourceView | undefined {
    return this.#view(this.#resource.instances?.first);
  }

  /** Number of instances; 0 for resources without any. */
  get count(): number {
    return this.#resource.instances?.size ?? 0;
  }

  /** Content of a content instance, decoded by its marker: a text, a JSON value or a Buffer; undefined for everything else. */
  get content(): unknown {
    return decodeContent(this.attributes);
  }

  /** Whether it still exists. */
  get exists(): boolean {
    return this.#cse.tree.holds(this.#resource);
  }

  /** As retrieved: `{ 'm2m:cnt': { … } }`. */
  toJSON(): object {
    return { [this.root]: this.attributes };
  }

  toString(): string {
    return `${this.typeName} ${this.path}`;
  }

  #view(resource: Resource | undefined): ResourceView | undefined {
    return resource && new ResourceView(resource, this.#cse);
  }

  #views(resources: Iterable<Resource>): ResourceView[] {
    return [...resources].map((resource) => new ResourceView(resource, this.#cse));
  }
}

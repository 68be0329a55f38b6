import { addressOfFound } from '../../engine/messages/address.ts';
import type { LabelledCse } from '../created/created.ts';
import type { GeneratedResource } from '../created/resource.ts';
import type { RulesUsed } from './implementation-defined.ts';

/** What is known of the resources of a sequence. */
export interface KnownResources {
  readonly names: LabelledCse;
  all(): ReadonlyArray<Pick<GeneratedResource, 'assigned' | 'names'>>;
}

/** Which request first showed an identifier or a name: the same at both targets, whatever they chose. */
export class KnownNames {
  readonly #created: KnownResources;
  readonly #used: RulesUsed;
  readonly #identifiers = new Map<string, string>();
  readonly #entities = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor(created: KnownResources, used: RulesUsed) {
    this.#created = created;
    this.#used = used;
  }

  /** Of a resource: ri, pi. */
  identifier(value: string, { attribute, request }: { readonly attribute: string; readonly request: number }): string {
    this.#used.note('identifiers');
    return firstShown(this.#identifiers, value, `(${attribute}, request ${request})`);
  }

  /** As in a list of children: by its resource, if that is known. */
  childIdentifier(value: string, request: number): string {
    const isKnown = this.#created.all().some(({ assigned }) => assigned.ri === value);
    return isKnown || value.includes('/') ? this.address(value) : this.identifier(value, { attribute: 'val', request });
  }

  /** Of an application entity or a creator: aei, cr. The target does not choose originators of the run. */
  entity(value: string, request: number): string {
    const own = this.text(value);
    if (own !== value || value === 'nobody' || value === '') return own;
    this.#used.note('identifiers');
    return firstShown(this.#entities, value, `(entity, request ${request})`);
  }

  /** The last part of a path: chosen by the run, or by the target. */
  name(value: string, { isRequested, request }: { readonly isRequested: boolean; readonly request: number }): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    if (isRequested) return firstShown(this.#names, value, this.text(value));
    this.#used.note('given names');
    return firstShown(this.#names, value, `(name, request ${request})`);
  }

  /** A text without names of the run or the installation. */
  text(value: string): string {
    const { label, base, cseId, spId } = this.#created.names;
    // Inboxes of the run have other URLs at each wire.
    const plain = value.replaceAll(label, '(run)').replace(/^\w+:\/\/[^/]+\/\(run\)\//, '(inbox)/');
    const own = plain === base ? '(base)' : plain === cseId ? '(cse)' : plain === spId ? '(sp)' : plain;
    if (own !== value) this.#used.note('own names');
    return own;
  }

  /** The resource at an address: names below the CSE base, if they are known. */
  address(value: string): string {
    const { names: home } = this.#created;
    const [path = '', query] = value.split('?');
    const { cseId, segments: below } = addressOfFound(path, home);
    const segments = cseId === home.cseId ? below : path.split('/').filter((segment) => segment !== '');
    const fromBase = segments[0] === home.base;
    const [first = '', ...rest] = fromBase ? segments.slice(1) : segments;
    const identified = fromBase ? undefined : this.#created.all().find(({ assigned }) => assigned.ri === first);
    const names = identified === undefined ? [first] : identified.names;
    const canonical = [...names, ...rest]
      .map((name) => this.#names.get(name) ?? this.#identifiers.get(name) ?? this.text(name))
      .join('/');
    return query === undefined ? canonical : `${canonical}?${this.text(query)}`;
  }
}

function firstShown(known: Map<string, string>, value: string, token: string): string {
  const first = known.get(value) ?? token;
  known.set(value, first);
  return first;
}

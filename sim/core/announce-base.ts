/** The CSE base of this CSE as other CSEs announce it: below that stands what has no announced parent (TS-0004, clause 7.3.3.10). */
import type { Announcer } from './announce.ts';
import { announcedBaseType } from './numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import { attributesBelowRoot } from './representation.ts';
import type { Services } from './services.ts';

export type AnnouncementRequest = Pick<RequestPrimitive, 'operation' | 'content' | 'resourceType'>;

export class AnnouncedBases {
  readonly #services: Services;
  readonly #announcer: Announcer;
  /** Addresses, by the CSE-ID of the CSE at which they are. */
  readonly #addresses = new Map<string, Promise<string | undefined>>();

  constructor(services: Services, announcer: Announcer) {
    this.#services = services;
    this.#announcer = announcer;
  }

  /** Undefined when the CSE is not known, or refuses. */
  async createBelow(cseId: string, request: AnnouncementRequest): Promise<ResponsePrimitive | undefined> {
    const base = this.#baseOf(cseId);
    if (base === undefined) return undefined;
    const registration = `${base}/${this.#services.configuration.cseId}`;
    const announced = await this.#announcedAt(cseId, base);
    if (announced === undefined) return this.#announcer.send(registration, request);
    const answer = await this.#announcer.send(announced, request);
    if (answer !== undefined || (await this.#announcer.send(announced, { operation: 'retrieve' })) !== undefined)
      return answer;
    this.#addresses.delete(cseId);
    const anew = await this.#announcedAt(cseId, base);
    return this.#announcer.send(anew ?? registration, request);
  }

  /** The address of the CSE base of a registered CSE, SP-relative. */
  #baseOf(cseId: string): string | undefined {
    const { tree, configuration } = this.#services;
    if (cseId === `/${configuration.cseId}`) return `${cseId}/${tree.base.name}`;
    const cb = tree.byAlias(cseId)?.values.cb;
    if (typeof cb !== 'string') return undefined;
    return cb.startsWith('/') ? cb : `${cseId}/${cb}`;
  }

  /** Undefined where the other CSE takes no such announcement: it is of an earlier release, which puts all below the registration. */
  #announcedAt(cseId: string, base: string): Promise<string | undefined> {
    const known = this.#addresses.get(cseId);
    if (known !== undefined) return known;
    const made = this.#announce(cseId, base);
    this.#addresses.set(cseId, made);
    return made;
  }

  async #announce(cseId: string, base: string): Promise<string | undefined> {
    const { configuration, tree, maker, ports } = this.#services;
    const { dialect } = configuration;
    if (dialect.name === 'documented') return undefined;
    const et = dialect.write('timestamp', maker.expirationOf(Number.POSITIVE_INFINITY, ports.clock.now()));
    const content = Object.fromEntries(
      Object.entries(this.#announcer.represent(tree.base)).map(([root, shown]) => [root, { ...shown, et }]),
    );
    const answer = await this.#announcer.send(base, { operation: 'create', resourceType: announcedBaseType, content });
    const address = answer === undefined ? undefined : addressIn(answer, cseId);
    if (address === undefined) this.#addresses.delete(cseId);
    return address;
  }
}

/** The address of the announced resource, by its identifier at the CSE of the target. */
export function addressIn({ content }: ResponsePrimitive, target: string): string | undefined {
  const identifier = attributesBelowRoot(content).ri;
  const cse = /^\/[^/]+/.exec(target)?.[0];
  return typeof identifier === 'string' && cse !== undefined ? `${cse}/${identifier}` : undefined;
}

import { type Address, type CseNames, decoded, keyOf, pathOf, resolveAddress } from '../engine/messages/address.ts';
import type { MemberName } from '../engine/targets/installation.ts';
import { type ChangeLine, type CreatingLine, labelOfRun } from './ledger-line.ts';

/** A resource that a run created, or tried to. */
export interface Holding {
  readonly line: CreatingLine;
  state: 'pending' | 'silent' | 'created';
  readonly keys: Set<string>;
  /** Paths that are certainly its own, the first by name where that is known. */
  readonly paths: string[];
  /** Its other addresses, by word of the target. */
  readonly claims: Map<string, Ownership>;
  /** Key of its parent, as addressed. */
  readonly parent: string;
}

/** An address that only the target has named: perhaps that of others, until a read shows that it is the run's. */
export interface Ownership {
  readonly holding: Holding;
  readonly address: Address;
  readonly path: string;
  /** A read has shown something else. */
  refuted: boolean;
}

/** What a run created and did not remove, by every address that is certainly its own, and by those that the target names. */
export class Holdings {
  readonly #label: string | undefined;
  readonly #cses: Readonly<Partial<Record<MemberName, CseNames>>>;
  readonly #live = new Map<number, Holding>();
  readonly #byKey = new Map<string, Holding>();
  readonly #claims = new Map<string, Ownership>();
  #foreign: ReadonlySet<string> = new Set();
  /** What is gone, by key. */
  readonly #removed = new Map<string, CreatingLine>();

  /** Without a run, every requested name counts as its own. */
  constructor(run: string | undefined, cses: Readonly<Partial<Record<MemberName, CseNames>>>) {
    this.#label = run === undefined ? undefined : labelOfRun(run);
    this.#cses = cses;
  }

  /** What is still there, as far as known, youngest first. */
  left(): Holding[] {
    return [...this.#live.values()].toReversed();
  }

  numbered(number: number): Holding | undefined {
    return this.#live.get(number);
  }

  isLeft({ line }: Holding): boolean {
    return this.#live.has(line.number);
  }

  /** Names of the CSE that receives these requests. */
  namesOf(on: MemberName): CseNames {
    return this.#cses[on] ?? { base: '', cseId: '', spId: '' };
  }

  /** Names of the CSE with an identifier; of each without one. */
  namesAt(cseId?: string): readonly CseNames[] {
    return Object.values(this.#cses).filter((names) => cseId === undefined || names.cseId === cseId);
  }

  /** Keys of what was there before the run, which no answer makes its own. */
  setForeign(keys: Iterable<string>): void {
    this.#foreign = new Set(keys);
  }

  /** Whether an address leads to something of this run, or to nothing: names with its label belong to nobody else. */
  holds({ cseId, segments }: Address): boolean {
    return this.isNamedByRun({ cseId, segments }) || this.#isBelowHolding({ cseId, segments });
  }

  isNamedByRun({ segments }: Address): boolean {
    return segments.some((segment) => this.isLabelled(segment) || this.isLabelled(decoded(segment)));
  }

  isLabelled(text: string): boolean {
    return this.#label !== undefined && text.includes(this.#label);
  }

  #isBelowHolding(address: Address): boolean {
    return firstAbove(address, this.#byKey) !== undefined;
  }

  /** What the target says about the address, or one above it. */
  claimAbove(address: Address): Ownership | undefined {
    return firstAbove(address, this.#claims);
  }

  /** Whether what was created there, or above it, has been removed, and nothing is there now. */
  isGone(address: Address): boolean {
    const key = keyOf(address);
    return this.#removed.has(key) && !this.#byKey.has(key) && !this.#claims.has(key);
  }

  /** How what was there, and has been removed, was created. */
  removedAt(address: Address): CreatingLine | undefined {
    return this.#removed.get(keyOf(address));
  }

  at(address: Address): Holding | undefined {
    return this.#byKey.get(keyOf(address));
  }

  /** Whether it is the CSE base of the target, or of its backend. */
  isBase({ cseId, segments }: Address): boolean {
    const [cse] = this.namesAt(cseId);
    return cse !== undefined && (segments.length === 0 || (segments.length === 1 && segments[0] === cse.base));
  }

  record(line: ChangeLine): void {
    if (line.kind === 'creating') {
      const parent = keyOf(resolveAddress(line.in, this.namesOf(line.on)));
      const holding: Holding = { line, state: 'pending', keys: new Set(), paths: [], claims: new Map(), parent };
      this.#live.set(line.number, holding);
      if (line.name !== undefined) this.#nameBelow(holding, line.name);
    } else if (line.kind === 'gone') this.#gone(resolveAddress(line.path, this.namesOf(line.on)));
    else this.#answered(line);
  }

  #answered(line: Exclude<ChangeLine, CreatingLine | { kind: 'gone' }>): void {
    const holding = this.#live.get(line.number);
    if (holding === undefined) return;
    const names = this.namesOf(holding.line.on);
    if (line.kind === 'refused') this.#drop(holding);
    else if (line.kind === 'silent') holding.state = 'silent';
    else if (line.kind === 'proved') this.#addKnown(holding, resolveAddress(line.path, names), line.path);
    else {
      holding.state = 'created';
      for (const path of line.paths) this.#addReported(holding, resolveAddress(path, names), path);
    }
  }

  /** By its name below every address of its parent: the run's if the name has its label, or if the parent is its own. */
  #nameBelow(holding: Holding, name: string): void {
    const names = this.namesOf(holding.line.on);
    const requested = resolveAddress(holding.line.in, names);
    const parent = this.#byName(requested);
    const address = childOf(this.#baseIn(parent), name);
    const isOwn = this.#label === undefined || this.holds(address) || this.holds(parent);
    if (isOwn) this.#addKnown(holding, address, pathOf(address, names));
    else this.#addClaim(holding, address, pathOf(address, names));
  }

  /** Its address by names, if the run knows it by an identifier. */
  #byName(address: Address): Address {
    const found = this.at(address) ?? this.#claims.get(keyOf(address))?.holding;
    const [path] = found?.paths ?? [];
    return found === undefined || path === undefined ? address : resolveAddress(path, this.namesOf(found.line.on));
  }

  /** The CSE base if a request goes to the CSE itself. */
  #baseIn({ cseId, segments }: Address): Address {
    const [cse] = this.namesAt(cseId);
    return { cseId, segments: segments.length === 0 && cse !== undefined ? [cse.base] : segments };
  }

  /** An address in an answer is a claim, unless it has a name of the run or is below something of the run. */
  #addReported(holding: Holding, address: Address, path: string): void {
    if (this.isBase(address) || address.segments.length === 0) return;
    const above = { ...address, segments: address.segments.slice(0, -1) };
    if (this.isNamedByRun(address) || this.#isBelowHolding(above)) this.#addKnown(holding, address, path);
    else this.#addClaim(holding, address, path);
  }

  #addClaim(holding: Holding, address: Address, path: string): void {
    const key = keyOf(address);
    if (this.#foreign.has(key) || holding.keys.has(key)) return;
    const claim: Ownership = { holding, address, path, refuted: false };
    holding.claims.set(key, claim);
    this.#claims.set(key, claim);
  }

  #addKnown(holding: Holding, address: Address, path: string): void {
    if (this.isBase(address) || address.segments.length === 0) return;
    if (!holding.paths.includes(path)) holding.paths.push(path);
    for (const one of this.#aliasesOf(address)) {
      const key = keyOf(one);
      holding.keys.add(key);
      // A second request for a taken name is most likely refused.
      if (holding.state === 'created' || !this.#byKey.has(key)) this.#byKey.set(key, holding);
    }
  }

  /** The same below each address of the parent. */
  #aliasesOf(address: Address): Address[] {
    const name = address.segments.at(-1) ?? '';
    const parent = { ...address, segments: address.segments.slice(0, -1) };
    const above = this.at(parent) ?? this.#claims.get(keyOf(parent))?.holding;
    const keys = parent.segments.length === 0 ? [] : [...(above?.keys ?? [])];
    return [address, ...keys.map((key) => childOf(addressOfKey(key), name))];
  }

  /** Drops it, by each of its addresses, and all that is below. */
  #gone(address: Address): void {
    const gone = new Set(this.#aliasesOf(address).flatMap((one) => [keyOf(one), ...(this.at(one)?.keys ?? [])]));
    const owner = this.at(address) === undefined ? this.#claims.get(keyOf(address))?.holding : undefined;
    /** What is addressed by an identifier from the target is below it; whether that is also the identifier of another, nobody knows. */
    const parents = new Set(gone);
    const drop = (holding: Holding) => {
      for (const key of holding.keys) gone.add(key);
      for (const key of [...holding.keys, ...holding.claims.keys()]) {
        parents.add(key);
        this.#removed.set(key, holding.line);
      }
      this.#drop(holding);
    };
    if (owner !== undefined) drop(owner);
    for (let before = -1; before !== gone.size + parents.size; ) {
      before = gone.size + parents.size;
      for (const holding of this.#live.values())
        if (isIn(holding.parent, parents) || [...holding.keys].some((key) => isIn(key, gone))) drop(holding);
    }
  }

  #drop(holding: Holding): void {
    this.#live.delete(holding.line.number);
    for (const key of holding.keys) if (this.#byKey.get(key) === holding) this.#byKey.delete(key);
    for (const [key, claim] of holding.claims) if (this.#claims.get(key) === claim) this.#claims.delete(key);
  }
}

function firstAbove<Found>({ cseId, segments }: Address, known: ReadonlyMap<string, Found>): Found | undefined {
  for (let length = segments.length; length > 0; length -= 1) {
    const found = known.get(keyOf({ cseId, segments: segments.slice(0, length) }));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isIn(key: string, gone: ReadonlySet<string>): boolean {
  for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1)) {
    if (gone.has(key.slice(0, end))) return true;
  }
  return false;
}

function childOf({ cseId, segments }: Address, name: string): Address {
  return { cseId, segments: [...segments, name] };
}

function addressOfKey(key: string): Address {
  const [cseId = '', ...segments] = key.split('/');
  return { cseId, segments };
}

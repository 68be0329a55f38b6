import type { Site } from '../engine/running/ledger.ts';
import { type Address, type CseNames, decoded, keyOf, meantBy, pathOf } from './address.ts';
import { type ChangeLine, type CreatingLine, labelOfRun } from './ledger-line.ts';

/** Something that a run created, or tried to. */
export interface Holding {
  readonly line: CreatingLine;
  state: 'pending' | 'silent' | 'created';
  readonly keys: Set<string>;
  /** Paths, the first by name where that is known. */
  readonly paths: string[];
  /** Key of what it was created in, as it was addressed. */
  readonly parent: string;
}

/** What a run has created and not removed, by every address that is known of it. */
export class Holdings {
  readonly #label: string;
  readonly #sites: Readonly<Partial<Record<Site, CseNames>>>;
  readonly #live = new Map<number, Holding>();
  readonly #byKey = new Map<string, Holding>();

  constructor(run: string, sites: Readonly<Partial<Record<Site, CseNames>>>) {
    this.#label = labelOfRun(run);
    this.#sites = sites;
  }

  /** What is still there, as far as is known, the youngest first. */
  left(): Holding[] {
    return [...this.#live.values()].toReversed();
  }

  numbered(number: number): Holding | undefined {
    return this.#live.get(number);
  }

  isLeft({ line }: Holding): boolean {
    return this.#live.has(line.number);
  }

  /** How the CSE is called at which requests of a site arrive. */
  namesOf(on: Site): CseNames {
    return this.#sites[on] ?? { base: '', cseId: '', spId: '' };
  }

  /** Whether an address leads to something of this run, or to nothing: names that hold its label belong to nobody else. */
  holds({ cseId, segments }: Address): boolean {
    return this.isNamedByRun({ cseId, segments }) || this.holdingAbove({ cseId, segments }) !== undefined;
  }

  isNamedByRun({ segments }: Address): boolean {
    return segments.some((segment) => segment.includes(this.#label) || decoded(segment).includes(this.#label));
  }

  /** What was created at the address, or above it. */
  holdingAbove({ cseId, segments }: Address): Holding | undefined {
    for (let length = segments.length; length > 0; length -= 1) {
      const found = this.#byKey.get(keyOf({ cseId, segments: segments.slice(0, length) }));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  at(address: Address): Holding | undefined {
    return this.#byKey.get(keyOf(address));
  }

  /** Whether it is the identifier of the target, or of its backend, as it is known. */
  isSite(cseId: string): boolean {
    return Object.values(this.#sites).some((names) => names.cseId === cseId);
  }

  /** Whether it is the CSE base of the target, or of its backend. */
  isBase({ cseId, segments }: Address): boolean {
    const cse = Object.values(this.#sites).find((names) => names.cseId === cseId);
    return cse !== undefined && (segments.length === 0 || (segments.length === 1 && segments[0] === cse.base));
  }

  take(line: ChangeLine): void {
    if (line.kind === 'creating') {
      const parent = keyOf(meantBy(line.in, this.namesOf(line.on)));
      const holding: Holding = { line, state: 'pending', keys: new Set(), paths: [], parent };
      this.#live.set(line.number, holding);
      if (line.name !== undefined) this.#nameBelow(holding, line.name);
    } else if (line.kind === 'gone') this.#gone(meantBy(line.path, this.namesOf(line.on)));
    else this.#answered(line);
  }

  #answered(line: Exclude<ChangeLine, CreatingLine | { kind: 'gone' }>): void {
    const holding = this.#live.get(line.number);
    if (holding === undefined) return;
    if (line.kind === 'refused') this.#drop(holding);
    else if (line.kind === 'silent') holding.state = 'silent';
    else {
      holding.state = 'created';
      const names = this.namesOf(holding.line.on);
      for (const path of line.paths) this.#known(holding, meantBy(path, names), path);
    }
  }

  /** By its name below every address of its parent. What may not have come about is ours only where the run names it. */
  #nameBelow(holding: Holding, name: string): void {
    const names = this.namesOf(holding.line.on);
    const parent = meantBy(holding.line.in, names);
    const address = childOf(this.#baseIn(parent), name);
    if (this.holds(address) || this.holds(parent)) this.#known(holding, address, pathOf(address, names));
  }

  /** The CSE base where a request goes to the CSE itself. */
  #baseIn({ cseId, segments }: Address): Address {
    const cse = Object.values(this.#sites).find((names) => names.cseId === cseId);
    return { cseId, segments: segments.length === 0 && cse !== undefined ? [cse.base] : segments };
  }

  #known(holding: Holding, address: Address, path: string): void {
    if (this.isBase(address) || address.segments.length === 0) return;
    if (!holding.paths.includes(path)) holding.paths.push(path);
    for (const one of this.#aliasesOf(address)) {
      const key = keyOf(one);
      holding.keys.add(key);
      // A second request for a name that is taken is most likely refused.
      if (holding.state === 'created' || !this.#byKey.has(key)) this.#byKey.set(key, holding);
    }
  }

  /** The same below each address of the parent. */
  #aliasesOf(address: Address): Address[] {
    const name = address.segments.at(-1) ?? '';
    const parent = { ...address, segments: address.segments.slice(0, -1) };
    const keys = parent.segments.length === 0 ? [] : [...(this.at(parent)?.keys ?? [])];
    return [address, ...keys.map((key) => childOf(addressOfKey(key), name))];
  }

  /** It is gone, by each of its addresses, and with it all that is below. */
  #gone(address: Address): void {
    const gone = new Set([keyOf(address), ...(this.at(address)?.keys ?? [])]);
    for (let before = -1; before !== gone.size; ) {
      before = gone.size;
      for (const holding of this.#live.values()) {
        if (!isBelow(holding, gone)) continue;
        for (const key of holding.keys) gone.add(key);
        this.#drop(holding);
      }
    }
  }

  #drop(holding: Holding): void {
    this.#live.delete(holding.line.number);
    for (const key of holding.keys) if (this.#byKey.get(key) === holding) this.#byKey.delete(key);
  }
}

function isBelow({ parent, keys }: Holding, gone: ReadonlySet<string>): boolean {
  if (isIn(parent, gone)) return true;
  for (const key of keys) if (isIn(key, gone)) return true;
  return false;
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

/** What `keyOf` gave the key of. */
function addressOfKey(key: string): Address {
  const [cseId = '', ...segments] = key.split('/');
  return { cseId, segments };
}

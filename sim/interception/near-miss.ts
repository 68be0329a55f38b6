import { distance } from 'fastest-levenshtein';
import type { CseIdentity } from '../core/address.ts';

/** A request that was most likely meant for the CSE, but has a mistake. */
export interface NearMiss {
  /**
   * `origin`: it went past the CSE, to another scheme, host, port or path prefix. `path`: the CSE has nothing at that
   * path. `headers`: one is missing or misspelled.
   */
  readonly kind: 'origin' | 'path' | 'headers';
  readonly method: string;
  readonly url: string;
  /** What is wrong, in one sentence. */
  readonly says: string;
  /** The URL that was most likely meant. */
  readonly meant?: string;
}

/** The finding of a rule, without the request. */
export type MissReason = Omit<NearMiss, 'method' | 'url'>;

/** `GET http://…: what is wrong. Did you mean http://…?` */
export function nearMissText({ method, url, says, meant }: NearMiss): string {
  return `${method} ${url}: ${says}${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

const mostWarnings = 100;

/** Warns on the console, once of each mistake, and of 100 different ones at most. */
export function warnOnce(warn: (text: string) => void = console.warn): (miss: NearMiss) => void {
  const said = new Set<string>();
  return (miss) => {
    if (said.has(miss.says) || said.size >= mostWarnings) return;
    said.add(miss.says);
    warn(`[cselab] Near miss (${miss.kind}): ${nearMissText(miss)}`);
  };
}

// Paths without a resource that are similar to one with a resource.

/** For a path that was answered with 404; `meant` is the path alone. Undefined where the path names the CSE base. */
export function missedPath(path: string, identity: CseIdentity): MissReason | undefined {
  const segments = path.split('/').slice(1);
  const [first = ''] = segments;
  if (first === identity.base || first === '-') return undefined;
  if (first === '~') return missedCse(segments, identity);
  if (first === '_') return missedProvider(segments, identity);
  return missedBase(segments, identity);
}

/** `/~/cse/base/…` (TS-0009, clause 6.2.2.1). */
function missedCse([, cse = '', ...rest]: readonly string[], { base, cseId }: CseIdentity): MissReason | undefined {
  const start = `/~/${cseId}`;
  if (cse === base) return path(`Behind /~/ stands the identifier of a CSE, here ${cseId}.`, [start, base, ...rest]);
  const [name = '', ...below] = rest;
  if (cse === cseId) {
    return isNearly(name, base)
      ? path(`The CSE base is called ${base}, not ${name}.`, [start, base, ...below])
      : undefined;
  }
  if (!isNearly(cse, cseId)) return undefined;
  return path(`The identifier of the CSE is ${cseId}, not ${cse}.`, [start, ...rest]);
}

/** `/_/provider/cse/base/…` */
function missedProvider([, sp = '', ...rest]: readonly string[], { spId }: CseIdentity): MissReason | undefined {
  if (!isNearly(sp, spId)) return undefined;
  return path(`The service provider is called ${spId}, not ${sp}.`, ['/_', spId, ...rest]);
}

function missedBase(segments: readonly string[], { base, cseId }: CseIdentity): MissReason | undefined {
  const [first = '', ...rest] = segments;
  if (first === cseId)
    return path(`An address that begins with the CSE, ${cseId}, is written behind /~/.`, ['/~', ...segments]);
  const index = segments.indexOf(base);
  if (index > 0) {
    const before = segments.slice(0, index).join('/');
    const start = `The CSE base, ${base}, is the first segment of an address; /${before} stands before it.`;
    return path(`${start} If it belongs to where the CSE is, put it at the end of baseUrl.`, [
      '',
      ...segments.slice(index),
    ]);
  }
  if (isNearly(first, base)) return path(`The CSE base is called ${base}, not ${first}.`, ['', base, ...rest]);
  return { kind: 'path', says: `Nothing of the CSE begins with /${first}; its base is /${base}.` };
}

function path(says: string, segments: readonly string[]): MissReason {
  return { kind: 'path', says, meant: segments.join('/') };
}

/** Whether few letters differ: two at most, and one in a word of three. */
function isNearly(word: string, meant: string): boolean {
  if (word === meant || word === '') return false;
  const most = Math.min(2, Math.floor(meant.length / 3));
  return distance(word.toLowerCase(), meant.toLowerCase()) <= most;
}

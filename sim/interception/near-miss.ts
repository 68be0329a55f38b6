/** A request that looks as if it were meant for the CSE, but is not what its sender most likely meant. */
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

/** What a rule finds; the request is known to who asks it. */
export type Finding = Omit<NearMiss, 'method' | 'url'>;

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

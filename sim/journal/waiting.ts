/** Waits for journal entries, by a real or virtual clock, without polling. */
import { millisecondsOf, type Scheduler } from '../environment/clock.ts';

/** Real time for messages still on a socket when a manual clock has reached the deadline. */
const graceMilliseconds = 100;
/** Longest real time to wait while a manual clock stands still. */
const maxStandstill = 5_000;

interface Wait {
  look(): boolean;
}

export class JournalWaits {
  readonly #clock: Scheduler;
  readonly #waits = new Set<Wait>();

  constructor(clock: Scheduler) {
    this.#clock = clock;
  }

  /** There is something new: all waits look, in the order of their start. */
  notify(): void {
    for (const wait of this.#waits) if (wait.look()) this.#waits.delete(wait);
  }

  /**
   * Resolves to what `look` finds, at once or later. Rejects with the error of `explain`, which gets the ending (` within 1s`),
   * once so much time has passed: milliseconds, or `500ms`, `1h`. That is virtual time where the CSE has a manual clock; while it
   * stands still, real time of that length (5 s at most) ends the wait too.
   */
  async until<Found>(
    look: () => Found | undefined,
    within: number | string,
    explain: (ending: string) => Error,
  ): Promise<Found> {
    const milliseconds = millisecondsOf(within);
    const found = look();
    if (found !== undefined) return found;
    return new Promise<Found>((resolve, reject) => {
      const wait: Wait = {
        look() {
          const late = look();
          if (late === undefined) return false;
          cancel();
          resolve(late);
          return true;
        },
      };
      const cancel = deadline(this.#clock, milliseconds, (standstill) => {
        this.#waits.delete(wait);
        reject(explain(standstill ? ' while the clock stood still; advance it' : ` within ${durationText(within)}`));
      });
      this.#waits.add(wait);
    });
  }
}

const durationText = (within: number | string) => (typeof within === 'number' ? `${within}ms` : within);

/** Uses timers that keep a process alive, unlike the system clock's: a test waits for them. */
function deadline(clock: Scheduler, milliseconds: number, end: (standstill: boolean) => void): () => void {
  if (!('advance' in clock)) {
    const timer = setTimeout(() => end(false), milliseconds);
    return () => clearTimeout(timer);
  }
  let timer: NodeJS.Timeout;
  const cancel = clock.schedule(milliseconds, () => {
    clearTimeout(timer);
    timer = setTimeout(() => end(false), graceMilliseconds);
  });
  const standstill = Math.min(milliseconds, maxStandstill);
  const guard = (): void => {
    const before = clock.now();
    timer = setTimeout(() => {
      if (clock.now() !== before) return guard();
      cancel();
      end(true);
    }, standstill);
  };
  guard();
  return () => {
    cancel();
    clearTimeout(timer);
  };
}

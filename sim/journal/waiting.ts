/** Waiting for something to come, by a clock that goes or one that a test moves, without looking again and again. */
import { millisecondsOf, type Scheduler } from '../environment/clock.ts';

/** Real time for what is on its way over a socket when a manual clock says that the time is up. */
const graceMilliseconds = 100;
/** Real time after which a clock that nobody moves is no reason to wait on. */
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

  /** Something has come: everybody who waits looks, in the order in which they began. */
  notify(): void {
    for (const wait of this.#waits) if (wait.look()) this.#waits.delete(wait);
  }

  /**
   * Resolves to what `look` finds, at once or when something comes. Rejects with what `explain` makes of how it ended (`within 1s`)
   * once so much time has passed: milliseconds, or `500ms`, `1h`. That is time of a manual clock where the CSE has one; when such
   * a clock stands still meanwhile, real time of that length (5 s at most) ends the wait too.
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

/** Timers that keep a process alive, unlike those of the system's clock: a test waits for them. */
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

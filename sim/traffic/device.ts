/** One simulated device: when it pushes, and what. */
import { encodeContent } from '../application-entity/content.ts';
import { between, seededNumbers } from '../breakage/seeded.ts';
import { millisecondsOf, type Scheduler } from '../clock.ts';
import { numbered } from '../seeding/numbering.ts';
import { generatorOf } from './generators.ts';
import type { TrafficDevice } from './traffic-form.ts';

/** Attributes of the content instance. */
type Push = (content: ReturnType<typeof encodeContent>) => Promise<void>;

export interface Device {
  readonly into: string;
  readonly originator: string | undefined;
  /** Begins to push; returns what ends it. */
  start(clock: Scheduler, push: Push): () => void;
}

/** Every device of a plan has a stream of chance of its own, so that one more changes nothing for the others. */
export function deviceOf(given: TrafficDevice, number: number | undefined, seed: number, stream: number): Device {
  const { into, originator, every, jitter = 0, after, value, values } = numbered(given, number);
  const [period, spread] = [Math.max(1, millisecondsOf(every)), millisecondsOf(jitter)];
  const next = seededNumbers(seed, stream);
  const first = after === undefined ? next() * period : millisecondsOf(after);
  const contentAt = contentsOf({ value, values }, next);
  return {
    into,
    originator,
    start(clock, push) {
      let due = clock.now() / 1000 + first;
      let cancel = (): void => {};
      const later = (): void => {
        const moved = spread === 0 ? due : due + between(next, -spread, spread);
        cancel = clock.schedule(Math.max(0, moved - clock.now() / 1000), async () => {
          due += period;
          later();
          await push(contentAt(clock.now() / 1000));
        });
      };
      later();
      return () => cancel();
    },
  };
}

function contentsOf({ value, values }: Pick<TrafficDevice, 'value' | 'values'>, next: () => number) {
  if (value !== undefined) {
    const generate = generatorOf(value, next);
    return (time: number) => encodeContent(String(generate(time)));
  }
  const members = Object.entries(values ?? {}).map(([name, given]) => [name, generatorOf(given, next)] as const);
  return (time: number) => encodeContent(Object.fromEntries(members.map(([name, generate]) => [name, generate(time)])));
}

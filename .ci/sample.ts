/** For tests with many similar, slow cases: `.ci/run` tries all, and `npm test` a sample. */
const isAll = process.env.CSELAB_TESTS === 'all';

/** `npm test` takes each nth, beginning with the first. */
export function sample<T>(all: readonly T[], every: number): readonly T[] {
  return isAll ? all : all.filter((_, at) => at % every === 0);
}

/** How often something is tried by `.ci/run`, and by `npm test`. */
export const timesFor = (whole: number, part: number): number => (isAll ? whole : part);

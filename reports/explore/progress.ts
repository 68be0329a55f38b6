/** How far each way of exploring is. */
import type { ExploreEvent, RobustnessEvent, TogetherEvent, WireEvent } from '../../scenarios/index.ts';
import { progressOf } from '../progress/follow.ts';
import { counted } from '../wording.ts';

export const exploreProgress = progressOf<ExploreEvent>({
  lines: {
    'exploration started': ({ target, seed }) => `exploring ${target.url} with seed ${seed}`,
    'failure found': ({ requirement, path }) => `${requirement} fails in sequence ${path}; looking for a shorter one`,
  },
  passing: {
    searched: ({ sequences, steps }, planned) =>
      `${sequences} of ${counted(planned, 'sequence')}, ${counted(steps, 'request')}`,
    shrunk: ({ operations, attempts }) =>
      `${counted(operations, 'operation')} left after ${counted(attempts, 'attempt')}`,
  },
});

export const togetherProgress = progressOf<TogetherEvent>({
  lines: {
    'exploration started': ({ target, originators, seed }) =>
      `exploring ${target.url} by ${originators} originators at the same time with seed ${seed}`,
    'failure found': ({ path, requirement }) =>
      `no order explains history ${path} (${requirement}); looking for a smaller one`,
  },
  passing: {
    searched: ({ histories, steps }, planned) =>
      `${histories} of ${counted(planned, 'program')}, ${counted(steps, 'request')}`,
    shrunk: ({ requests, attempts }) => `${counted(requests, 'request')} left after ${counted(attempts, 'attempt')}`,
  },
});

export const wireProgress = progressOf<WireEvent>({
  lines: {
    'exploration started': ({ target, seed }) => `exploring ${target.url} by malformed bytes with seed ${seed}`,
    'failure found': ({ what, says }) => `${what}: ${says} Looking for fewer bytes`,
  },
  passing: {
    searched: ({ runs }, planned) => `${runs} of ${counted(planned, 'request')}`,
    shrunk: ({ bytes, attempts }) => `${counted(bytes, 'byte')} left after ${counted(attempts, 'attempt')}`,
  },
});

export const robustnessProgress = progressOf<RobustnessEvent>({
  lines: {
    'robustness started': ({ planned, target }) => `sending ${counted(planned, 'robustness case')} to ${target.url}`,
  },
  passing: { 'case finished': ({ case: { number } }, planned, times) => `${times} of ${planned}: ${number}` },
});

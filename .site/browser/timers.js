export * from 'absent:timers/promises';

export const setTimeout = (pause, value) => new Promise((resolve) => globalThis.setTimeout(resolve, pause, value));
const turn = (...values) => new Promise((resolve) => globalThis.queueMicrotask(() => resolve(values[0])));

export { turn as setImmediate };

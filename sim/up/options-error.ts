/** Flags that contradict each other, or the files, or that say something that cannot be. */
export class UpOptionsError extends Error {
  override readonly name = 'UpOptionsError';
}

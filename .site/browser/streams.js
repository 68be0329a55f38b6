export * from 'absent:stream';

export const Readable = { from: (pieces) => pieces };
/** Lines of a text that is short. */
export async function* createInterface({ input }) {
  let text = '';
  for await (const piece of input) text += piece;
  yield* text.split('\n');
}

import { largestAnswer } from '../engine/targets/answer-reader.ts';

/** The whole of a body. Rejects for one that is too long to be handed on. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > largestAnswer) throw new Error(`a body is longer than ${largestAnswer} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

import { isExactBytes, type RawRequest, type RequestMessage } from '../engine/targets/target.ts';

/** Why a request must not be sent to a target that takes bodies of so many bytes, as the end of the sentence "not sent: …". */
export function objectionToLength(request: RequestMessage | RawRequest, limit: number | undefined): string | undefined {
  if (limit === undefined) return undefined;
  const length = isExactBytes(request) ? bodyIn(request.bytes) : (request.body?.length ?? 0);
  if (length <= limit) return undefined;
  return `its body has ${length} bytes, and the longest body that the target takes has ${limit} (limits.body of its target file)`;
}

/** Bytes behind the first empty line; all of them where there is none. */
function bodyIn(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends = ['\r\n\r\n', '\n\n'].map((end) => [text.indexOf(end), end.length] as const).filter(([at]) => at >= 0);
  const [first] = ends.sort(([a], [b]) => a - b);
  return first === undefined ? bytes.length : bytes.length - first[0] - first[1];
}

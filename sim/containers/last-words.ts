/** What a container wrote before it ended. */
import type { WaitStrategy } from 'testcontainers';

/** As the library of the engine has it. */
export type EngineContainer = Parameters<WaitStrategy['waitUntilReady']>[0];

const lastLines = 20;

/** The last lines of both its streams, without blanks around them. */
export async function lastWords(container: EngineContainer): Promise<string> {
  return unframed(await container.logs({ stdout: true, stderr: true, tail: lastLines })).trim();
}

/** Docker puts eight bytes before each piece: which stream it is of, and in the last four how long it is. */
function unframed(bytes: Buffer): string {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    pieces.push(bytes.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(pieces).toString('utf8');
}

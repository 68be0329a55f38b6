/** Why a container did not start, in the words that it left behind. */
import { getContainerRuntimeClient } from 'testcontainers';
import { lastWords } from './last-words.ts';

/** A container of cselab did not become ready. Its message ends with the last lines that the container wrote. */
export class ContainerStartError extends Error {
  override readonly name = 'ContainerStartError';
}

/** Removes the container where it is still there. Never rejects. */
export async function startFailure(
  image: string,
  id: string | undefined,
  cause: unknown,
): Promise<ContainerStartError> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  // Whoever waited for it has removed it, and told its words.
  const said = id === undefined ? '' : await leftBehind(id).catch(() => '');
  const words = said === '' ? '' : `; it wrote:\n${said}`;
  return new ContainerStartError(`the container of ${image} did not start: ${reason}${words}`, { cause });
}

async function leftBehind(id: string): Promise<string> {
  const client = await getContainerRuntimeClient();
  const container = client.container.getById(id);
  const words = await lastWords(container);
  await container.remove({ force: true });
  return words;
}

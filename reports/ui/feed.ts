/** What those who look at the page are told as it happens: server-sent events. */
import type { ServerResponse } from 'node:http';

/** Who may look at a time, and bytes that may wait for one of them: who reads more slowly begins anew. */
const most = { watchers: 20, unread: 4 * 1024 * 1024 };

export class Feed {
  readonly #watchers = new Set<ServerResponse>();
  readonly #state: () => object;

  /** `state`: what somebody is told who begins to look. */
  constructor(state: () => object) {
    this.#state = state;
  }

  /** False where too many look already. */
  watch(response: ServerResponse, headers: Readonly<Record<string, string>>): boolean {
    if (this.#watchers.size >= most.watchers) return false;
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
    response.write(eventOf(this.#state()));
    this.#watchers.add(response);
    response.once('close', () => this.#watchers.delete(response));
    return true;
  }

  tell(facts: object): void {
    const event = eventOf(facts);
    for (const response of this.#watchers)
      if (response.writableLength > most.unread) response.end();
      else response.write(event);
  }

  end(): void {
    for (const response of this.#watchers) response.end();
    this.#watchers.clear();
  }
}

const eventOf = (facts: object): string => `data: ${JSON.stringify(facts)}\n\n`;

/** Requests of a page to its server: JSON, by paths below /api. */

const token = document.querySelector('meta[name=token]')?.getAttribute('content') ?? '';

/** Both reject with an Error whose message can be shown. `ReadResults` and `ActionResults`: answers by paths. */
export function apiClient<ReadResults extends object, ActionResults extends object>() {
  return {
    async read<Path extends keyof ReadResults & string>(path: Path, parameters: Record<string, string> = {}) {
      return answerOf<ReadResults[Path]>(await fetch(`/api/${path}?${new URLSearchParams(parameters)}`));
    },
    async act<Path extends keyof ActionResults & string>(path: Path, body: object) {
      const headers = { 'content-type': 'application/json', 'x-cselab-token': token };
      return answerOf<ActionResults[Path]>(
        await fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
      );
    },
  };
}

async function answerOf<Value>(answer: Response): Promise<Value> {
  const value = (await answer.json()) as Value & { readonly error?: string };
  if (!answer.ok) throw new Error(value?.error);
  return value;
}

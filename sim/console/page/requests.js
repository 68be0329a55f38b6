// @ts-check
/** What the page asks of the console. */

const token = document.querySelector('meta[name=token]')?.getAttribute('content') ?? '';

/**
 * Rejects with an Error whose message can be shown.
 * @param {string} path
 * @param {Record<string, string>} parameters
 */
export async function read(path, parameters = {}) {
  return answerOf(await fetch(`/api/${path}?${new URLSearchParams(parameters)}`));
}

/**
 * Rejects as above.
 * @param {string} path
 * @param {object} body
 */
export async function act(path, body) {
  const headers = { 'content-type': 'application/json', 'x-cselab-token': token };
  return answerOf(await fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** @param {Response} answer */
async function answerOf(answer) {
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
}

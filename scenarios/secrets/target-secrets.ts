import type { UrlChoice } from '../engine/targets/url-choice.ts';
import type { Redactor } from './redactor.ts';
import { secretsInHeaders } from './secrets-of.ts';

/** As it is said of a target of any kind; one in this process has none of these. */
type Choice = Pick<UrlChoice, 'headers' | 'tls'> & { readonly kind?: string };

/** Learns what the description of a target holds that must not be shown, and what is typed for it later. */
export function withSecretsLearnt<C extends object>(choice: C & Choice, redactor: Redactor): C & Choice {
  const { headers = [], tls } = choice;
  const { own } = tls ?? {};
  for (const secret of secretsInHeaders(headers)) redactor.learn(secret);
  if (own?.passphrase !== undefined) redactor.learn(own.passphrase);
  if (own?.askPassphrase === undefined) return choice;
  const ask = own.askPassphrase;
  const askPassphrase = async (file: string): Promise<string> => {
    const typed = await ask(file);
    redactor.learn(typed);
    return typed;
  };
  return { ...choice, tls: { ...tls, own: { ...own, askPassphrase } } };
}

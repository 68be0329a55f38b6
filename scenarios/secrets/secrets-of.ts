import { UsageError } from '../engine/basics/diagnostics.ts';
import { isSecretHeader, isSecretParameter } from '../engine/messages/display.ts';
import type { HeaderList } from '../engine/messages/target.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import type { Redactor } from './redactor.ts';

/** The values of these environment variables. Throws a UsageError for one that is not set. */
export function secretsNamed(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return names.map((name) => {
    const value = environment[name];
    if (value === undefined || value === '')
      throw new UsageError(`--secret ${name}: there is no such environment variable`);
    if (value.length < 4) throw new UsageError(`--secret ${name}: a value of fewer than 4 characters cannot be masked`);
    return value;
  });
}

/** Secrets in headers: whole values, credentials of Authorization, values of cookies. */
export function secretsInHeaders(headers: HeaderList): string[] {
  return headers.filter(([name]) => isSecretHeader(name)).flatMap(([name, value]) => [value, ...partsOf(name, value)]);
}

/** Learns the secrets in headers and query parameters of an exchange. */
export function learnSecretsOf({ request, answer }: Exchange, redactor: Redactor): void {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(request.path)?.[1] ?? '');
  const asked = [...parameters].filter(([name]) => isSecretParameter(name)).map(([, value]) => value);
  const inHeaders = secretsInHeaders([...request.headers, ...(answer?.headers ?? [])]);
  for (const secret of [...inHeaders, ...asked]) redactor.learn(secret);
}

function partsOf(name: string, value: string): string[] {
  if (/^cookie$/i.test(name)) return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  if (/^set-cookie$/i.test(name)) return [/^[^=;]*=([^;]*)/.exec(value)?.[1]?.trim() ?? ''];
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (!/^basic$/i.test(scheme)) return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return [credentials, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** Options of any target; an embedded one has none of these. */
type Choice = Pick<UrlChoice, 'headers' | 'tls'> & { readonly kind?: string };

/** Learns the secrets in the options of a target, and a passphrase typed later. */
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

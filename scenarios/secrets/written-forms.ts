import { printfFormat } from '../engine/messages/shell.ts';

/** Fewest characters of a part of a Base64 text that is taken for a secret. */
const leastEncoded = 8;

/** In how many ways a secret may stand in a text that a report, a command line or a log holds; longest first. */
export function writtenForms(secret: string): string[] {
  const quoted = secret.replaceAll("'", `'\\''`);
  const percent = encodeURIComponent(secret);
  const plain = [
    secret,
    quoted,
    printfFormat(Buffer.from(secret, 'utf8')).slice(1, -1),
    percent,
    // As the URL parser of the web writes it in a query, and as RFC 3986 has it.
    percent.replaceAll("'", '%27'),
    percent.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURI(secret),
    percent.replaceAll('%20', '+'),
  ];
  const json = plain.flatMap((form) => [inJson(form), inJson(inJson(form))]);
  return [...new Set([...plain, ...json, ...encoded(secret)])].sort((a, b) => b.length - a.length);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Base64 of the secret alone, and what of it stays the same when other bytes stand before and after it, as in `name:secret`. */
function encoded(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = (before + bytes.length) % 3 === 0;
    return text.slice(before === 0 ? 0 : before + 1, whole ? undefined : -1);
  });
  const alone = bytes.toString('base64');
  const forms = [alone, alone.replace(/=+$/, ''), ...inside.filter((part) => part.length >= leastEncoded)];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

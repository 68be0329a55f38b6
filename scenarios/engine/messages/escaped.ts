/** Characters that a terminal acts on or that a reader cannot see: control characters, changes of the writing direction. */
const unseen = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** A text of the target as sentences quote it: what cannot be seen is written as in JSON, such as `\u001b`. */
export function escaped(text: string): string {
  return text.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same text in memory of its own: a part that is cut from a text keeps all of it in memory. */
export function ownText(part: string): string {
  return Buffer.from(part, 'utf8').toString('utf8');
}

/** Longest value shown in a sentence, in characters. */
const longest = 160;

/** A value as JSON, shortened. */
export function show(value: unknown): string {
  const text = escaped(JSON.stringify(value) ?? 'absent');
  return text.length <= longest ? text : `${ownText(text.slice(0, longest))}… (${text.length} characters)`;
}

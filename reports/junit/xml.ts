/** Everything that XML 1.0 does not allow in a document, even as a reference. */
const illegal = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const references: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    // Also keeps `]]>` out of the text, which is not allowed there.
    '>': '&gt;',
    '"': '&quot;',
    '\n': '&#10;',
    '\r': '&#13;',
    '\t': '&#9;',
  }),
);

export function xmlText(text: string): string {
  return text.replace(illegal, '').replace(/[&<>\r]/g, (character) => references.get(character) ?? '');
}

export function xmlAttribute(text: string): string {
  return text.replace(illegal, '').replace(/[&<>"\n\r\t]/g, (character) => references.get(character) ?? '');
}

export type Attributes = Readonly<Record<string, string | number>>;

/** An element around content that is XML already; without content it closes itself. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

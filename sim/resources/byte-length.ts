/** Bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff) bytes += 2;
    else if (unit > 0x7f) bytes += 1;
    // A surrogate pair is four bytes for two units: its second unit adds nothing to the first one's three.
    if (unit >= 0xd800 && unit <= 0xdbff) index++;
  }
  return bytes;
}

/** Bytes of a content: of a text itself, of anything else as JSON. */
export function contentLength(content: unknown): number {
  return utf8Length(typeof content === 'string' ? content : JSON.stringify(content));
}

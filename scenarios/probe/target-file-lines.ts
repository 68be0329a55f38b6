/** The lines of which a target file is made that people will read and change. */
import { stringify } from 'yaml';

/** Characters of a line of comment. */
const width = 110;

/** With `evidence` as a comment above it. Short lists stand on the line. */
export function line(key: string, value: unknown, evidence = ''): string[] {
  const text = stringify({ [key]: value }, { lineWidth: 0, collectionStyle: Array.isArray(value) ? 'flow' : 'any' });
  const bare = Array.isArray(value) ? text.trim().replace(/^\{ (.*) \}$/s, '$1') : text.trimEnd();
  return [...(evidence === '' ? [] : comment(evidence)), ...bare.split('\n')];
}

export function comment(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((one) => `# ${one}`);
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((one) => (one === '' ? one : `  ${one}`));
}

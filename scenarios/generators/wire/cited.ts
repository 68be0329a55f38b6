import type { Dialect } from '../../engine/grammar/dialects.ts';

/** What the standard says of that of which the specification of the interface leaves open what becomes. */
const inTheStandard: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'errors.unknown-method': 'std.http.unknown-method',
    'body.broken-json': 'std.content.broken',
    'body.trailing-text': 'std.content.broken',
    'body.not-utf-8': 'std.content.broken',
  }),
);

/** The requirement of the catalogue that a dialect is judged by; `gap` where none says anything. */
export function citedIn(dialect: Dialect, requirement: string): string {
  return dialect === 'documented' ? requirement : (inTheStandard.get(requirement) ?? 'gap');
}

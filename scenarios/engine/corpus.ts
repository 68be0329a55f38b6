/** Values that stimuli give, of each class that a service may treat in a way of its own; none of them holds a name such as `${x}`. */

const lengths = [1, 17, 51, 129, 255, 256, 257, 1025, 4096];
const abc = 'abcdefghijklmnopqrstuvwxyz';
const long = (length: number) => abc.repeat(Math.ceil(length / abc.length)).slice(0, length);

/** Letters, controls, escapes, and what looks like something else (RFC 8259, 7; Unicode Standard Annex 15). */
const spellings = [
  'MiXed Case',
  'Grüße, 温度 🌡 λ',
  ' around\t ',
  '007',
  'line\r\nfeed\tand \u0001\u007f',
  '"quoted" \\back/slash\\n',
  "<b title='x'>&amp;</b> %41%2F +",
  'null',
  'false',
  '-1.50e+3',
  '{"a": [1, {"b": null}]}',
  'é and e\u0301, ﬁ, ½, İı',
  '\u2028\ufeff\u200d\u202eback',
];

const contents = [...spellings, ...lengths.map(long)];
const encoded = ['{}', '{"a":1}', '{"a":10}', '{"a":100}', `["ü",${'1,'.repeat(200)}2]`].map((text) =>
  Buffer.from(text).toString('base64'),
);
/** Letters that need no encoding in a path (RFC 3986, 2.3), so that every service removes again what is called so. */
const segments = ['A', 'MiXed-Case_7', '007', 'with.dot~', ...[17, 51, 65, 129, 255].map(long)];
const names = ['große Stube', ' around ', ...segments];
const formats = ['text/plain:0', 'application/json:1', 'application/Vnd.Some+XML:0', 'application/octet-stream:2'];
const counts = [1, 2, 3, 9, 10, 11, 12, 49, 50, 51];

const known = { contents, encoded, segments, names, formats, counts } as const;

export type Table = keyof typeof known;
export const tables = Object.keys(known) as [Table, ...Table[]];

/** Of a table by its name, from one whole number to another, or as they are listed. */
export function valuesOf(
  values: Table | { readonly from: number; readonly to: number } | readonly unknown[],
): readonly unknown[] {
  if (typeof values === 'string') return known[values];
  if ('from' in values) return Array.from({ length: values.to - values.from + 1 }, (_, at) => values.from + at);
  return values;
}

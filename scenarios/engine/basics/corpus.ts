/** Values for stimuli, some of each class that a service may treat differently; none holds a name such as `${x}`. */
import { ownValue } from './own-value.ts';

const lengths = [1, 17, 51, 129, 255, 256, 257, 1025, 4096];
const abc = 'abcdefghijklmnopqrstuvwxyz';
const long = (length: number) => abc.repeat(Math.ceil(length / abc.length)).slice(0, length);

/** Letters, controls, escapes, and texts that look like something else (RFC 8259, 7; Unicode Standard Annex 15). */
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
/** Letters that need no encoding in a path (RFC 3986, 2.3), so that every service can delete a resource of that name. */
const segments = ['A', 'MiXed-Case_7', '007', 'with.dot~', ...[17, 51, 65, 129, 255].map(long)];
const names = ['große Stube', ' around ', ...segments];
const formats = ['text/plain:0', 'application/json:1', 'application/Vnd.Some+XML:0', 'application/octet-stream:2'];
const counts = [1, 2, 3, 9, 10, 11, 12, 49, 50, 51];

const known = { contents, encoded, segments, names, formats, counts } as const;

type Table = keyof typeof known;
export const tables = Object.keys(known) as [Table, ...Table[]];

/** The values of a named table, of a range of whole numbers, or of a list. */
export function valuesOf(
  values: Table | { readonly from: number; readonly to: number } | readonly unknown[],
): readonly unknown[] {
  if (typeof values === 'string') return known[values];
  if ('from' in values) return Array.from({ length: values.to - values.from + 1 }, (_, at) => values.from + at);
  return values;
}

/**
 * The values of an attribute by its form: the first created, another, a change of the first, and a second change where that is not the other's.
 * Texts are unique to a scenario and an attribute, numbers and times to an attribute, so that a mix-up shows.
 */
const formsByName: Readonly<Record<string, (name: string, nth: number) => readonly unknown[]>> = {
  text: (name) => [
    `007 Ärger im KELLER \${name} ${name} `,
    `Long \${name} ${name} ${long(4100)}`,
    `00 Über ${name} \${name} `,
  ],
  texts: (name) => [
    ['Ü1', '0042', `\${name}-${name}`],
    ['two', `\${name}-two-${name}`],
    ['00 Über OTHER', `\${name}-${name}`],
  ],
  labels: () => [
    ['Ümlaut', '0042', '${name}'],
    ['Two', 'Words', '${name}-two'],
    ['Changed', '007', 'Über', '${name}-changed'],
  ],
  url: (name) => ['Living/0042', long(4100), 'Über/Other'].map((path) => `http://example.org/${path}/\${name}/${name}`),
  urls: (name) => [
    [`http://127.0.0.1:9/Ümlaut/\${name}/${name}`, 'http://127.0.0.1:9/0042'],
    [`http://127.0.0.1:9/Two/\${name}/${name}/${long(300)}`],
    [`http://127.0.0.1:9/Other/\${name}/${name}`],
  ],
  number: (_, nth) => [301 + nth, 7 + nth, 777 + nth],
  large: (_, nth) => [70001 + nth, 77 + nth, 70103 + nth],
  decimal: (_, nth) => [301.5 + nth, -3 - nth, 21.25 + nth],
  // One changes to the value of its neighbour, which changes back.
  boolean: (_, nth) => [true, false, false, true].map((value) => value === (nth % 2 === 0)),
  time: (_, nth) => [2026, 2025, 2024].map((year) => `${year}0101T0000${10 + nth}`),
};

type Columns = Readonly<Record<'first' | 'other' | 'change' | 'long' | 'none', Readonly<Record<string, unknown>>>>;

/**
 * The columns of a row by the forms of its attributes, or by values in their place (null: absent): `first`, `other` and `change`; `long`
 * changes to the values of `other`, and `none` removes what it can. `NAME?` can be removed, `NAME!` is given in creations alone. An unknown
 * form is reported as an unknown name.
 */
export function columnsOf(attributes: Readonly<Record<string, unknown>>): Columns {
  const written = Object.entries(attributes);
  const all = written.map(([word, form], at) => {
    const name = word.replace(/[?!]$/, '');
    const nth = written.slice(0, at).filter(([, one]) => one === form).length;
    const values = Array.isArray(form) ? form : ownValue(formsByName, String(form))?.(name, nth);
    return { name, mark: word.at(-1), values: values ?? Array<string>(3).fill(`\${form.${form}}`) };
  });
  const column = (at: number, some = all) =>
    Object.fromEntries(some.flatMap(({ name, values }) => ((values[at] ?? null) === null ? [] : [[name, values[at]]])));
  const changing = all.filter(({ mark }) => mark !== '!');
  const removable = all.filter(({ mark }) => mark === '?').map(({ name }) => [name, null]);
  return {
    first: column(0),
    other: column(1),
    change: column(2, changing),
    long: { ...column(1, changing), ...column(3, changing) },
    none: Object.fromEntries(removable),
  };
}

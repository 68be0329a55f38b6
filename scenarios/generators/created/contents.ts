/** What content instances hold: the simplest first, since shrinking goes that way. */
type Content = Readonly<Record<'con' | 'cnf', string>>;

const plain = 'text/plain:0';
const contents = [
  { con: 'a', cnf: plain },
  { con: 'bb', cnf: plain },
  { con: 'ccc', cnf: plain },
  { con: ' d ', cnf: plain },
  { con: 'eyJhIjoxfQ==', cnf: 'application/json:1' },
  { con: '{"a":1}', cnf: plain },
  { con: 'é温', cnf: plain },
  { con: 'one\ntwo', cnf: plain },
] as const satisfies readonly Content[];

export function contentAt(index: number): Content {
  return contents[index % contents.length] ?? contents[0];
}

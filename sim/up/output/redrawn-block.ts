/** A block of lines at the end of a terminal that is drawn anew in its place. */
const eraseBelow = '\u001b[0J';
const control = '\u001b[';

/** What a terminal takes, and how large it is now. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly rows: () => number;
}

export class RedrawnBlock {
  readonly #terminal: Terminal;
  /** How wide each line of the block is that stands there. */
  #widths: number[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Puts these lines in the place of those before; none may be wider than the terminal. What does not fit into its height is left out. */
  draw(lines: readonly Line[]): void {
    const fitting = lines.slice(0, Math.max(this.#terminal.rows() - 1, 1));
    // In one piece, so that nothing flickers.
    this.#terminal.write(`${this.#erasing()}${fitting.map(({ text }) => `${text}\n`).join('')}`);
    this.#widths = fitting.map(({ width }) => width);
  }

  /** Takes the block away. */
  erase(): void {
    const erasing = this.#erasing();
    if (erasing !== '') this.#terminal.write(erasing);
    this.#widths = [];
  }

  /** What stands there is somebody else's now: the next block begins below it. */
  leave(): void {
    this.#widths = [];
  }

  /** A terminal that has become narrower has wrapped what was there. */
  #erasing(): string {
    if (this.#widths.length === 0) return '';
    const columns = Math.max(this.#terminal.columns(), 1);
    const rows = this.#widths.reduce((sum, width) => sum + Math.max(Math.ceil(width / columns), 1), 0);
    return `\r${control}${rows}A${eraseBelow}`;
  }
}

/** Of a terminal. */
export interface Line {
  /** With its colours. */
  readonly text: string;
  /** Columns that it takes. */
  readonly width: number;
}

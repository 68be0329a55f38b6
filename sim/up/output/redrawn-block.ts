/** A block of lines at the end of a terminal that is redrawn in place. */
const eraseBelow = '\u001b[0J';
const control = '\u001b[';

/** A terminal with its current size. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly rows: () => number;
}

export class RedrawnBlock {
  readonly #terminal: Terminal;
  /** The width of each line of the current block. */
  #widths: number[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Replaces the former lines; none may be wider than the terminal. Lines beyond its height are left out. */
  draw(lines: readonly Line[]): void {
    const fitting = lines.slice(0, Math.max(this.#terminal.rows() - 1, 1));
    // In one piece, so that nothing flickers.
    this.#terminal.write(`${this.#erasing()}${fitting.map(({ text }) => `${text}\n`).join('')}`);
    this.#widths = fitting.map(({ width }) => width);
  }

  /** Removes the block. */
  erase(): void {
    const erasing = this.#erasing();
    if (erasing !== '') this.#terminal.write(erasing);
    this.#widths = [];
  }

  /** Leaves the block there: the next one begins below it. */
  leave(): void {
    this.#widths = [];
  }

  /** A terminal that has become narrower has wrapped its lines. */
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

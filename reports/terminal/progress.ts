import type { RunEvent } from '../../scenarios/index.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';
import { cut } from './wrap.ts';

const eraseLine = '\r\u001b[2K';

/** The one line that says how far a run is, for a terminal. */
export class ProgressLine {
  readonly #write: (text: string) => void;
  readonly #columns: number;
  #planned = 0;
  #finished = 0;
  #failed = 0;
  #shown = false;

  constructor(write: (text: string) => void, columns: number) {
    this.#write = write;
    this.#columns = columns;
  }

  onEvent(event: RunEvent): void {
    if (event.type === 'run started') this.#planned = event.planned;
    if (event.type === 'scenario started') this.#show(event.title);
    if (event.type === 'scenario finished') {
      this.#finished += 1;
      if (event.result.state === 'failed') this.#failed += 1;
      this.#show(event.result.title);
    }
    if (event.type === 'run finished') this.clear();
  }

  /** Takes the line away; nothing stays on the terminal. */
  clear(): void {
    if (this.#shown) this.#write(eraseLine);
    this.#shown = false;
  }

  #show(title: string): void {
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} failed`;
    const text = `${this.#finished} of ${counted(this.#planned, 'scenario')}${failed}: ${visibleText(title)}`;
    // One column stays free: a full line would make some terminals begin a new one.
    this.#write(eraseLine + cut(text, this.#columns - 1));
    this.#shown = true;
  }
}

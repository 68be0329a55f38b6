/** `--log live`: the lines of the start, then a summary that is redrawn in place, for people at a terminal. */
import pc from 'picocolors';
import { blockOf, type CseState } from './block.ts';
import type { RunningNode, UpOutput } from './event.ts';
import type { Latest } from './latest.ts';
import { isForStderr, lineOf, type Streams } from './plain.ts';
import { RedrawnBlock, type Terminal } from './redrawn-block.ts';

/** Milliseconds. */
const [redrawEvery, linesWithin] = [500, 100];
/** The rate is over this many drawings. */
const rateOver = 4;

interface LiveOptions extends Streams {
  readonly terminal: Terminal;
  readonly color: boolean;
  /** Gets the latest remarks. */
  readonly latest: Latest;
  /** False: every line for stderr goes there. */
  readonly errIsTerminal: boolean;
  /** Every line for stderr stays above the summary, not only among the latest remarks. */
  readonly verbose: boolean;
}

export function liveOutput(options: LiveOptions): UpOutput {
  const { out, err, latest, errIsTerminal, verbose } = options;
  let drawing: Drawing | undefined;
  return {
    latest,
    report(event) {
      const line = lineOf(event);
      if (line === undefined) return;
      const write = isForStderr(event) ? err : out;
      if (drawing === undefined) return write(`${line}\n`);
      if (event.event === 'log') latest.add('noted', event.cse, event.message);
      if (!errIsTerminal) write(`${line}\n`);
      else if (verbose || !['log', 'refused'].includes(event.event)) drawing.above(`${line}\n`);
    },
    greet: (text) => out(`${text}\n`),
    watch(nodes) {
      drawing = new Drawing(nodes, options);
    },
    end() {
      drawing?.end();
      drawing = undefined;
    },
  };
}

/** The summary on the terminal. */
class Drawing {
  readonly #options: LiveOptions;
  readonly #redrawn: RedrawnBlock;
  readonly #colors: ReturnType<typeof pc.createColors>;
  readonly #states: readonly (() => CseState)[];
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #lines = '';
  #soon: NodeJS.Timeout | undefined;

  constructor(nodes: readonly RunningNode[], options: LiveOptions) {
    this.#options = options;
    this.#redrawn = new RedrawnBlock(options.terminal);
    this.#colors = pc.createColors(options.color);
    this.#states = nodes.map(stateOf);
    this.#timer = setInterval(() => this.#draw(), redrawEvery);
    process.on('SIGCONT', this.#goOn);
    this.#draw();
  }

  /** Writes the line soon, so that many at once cost no more than one. */
  above(line: string): void {
    this.#lines += line;
    this.#soon ??= setTimeout(() => this.#draw(), linesWithin);
  }

  end(): void {
    clearInterval(this.#timer);
    process.off('SIGCONT', this.#goOn);
    this.#redrawn.erase();
    this.#writeLines();
  }

  /** The process was stopped and resumed: the shell has written below the block. */
  readonly #goOn = (): void => this.#redrawn.leave();

  #draw(): void {
    if (this.#lines !== '') this.#redrawn.erase();
    this.#writeLines();
    const { terminal, latest } = this.#options;
    const cses = this.#states.map((state) => state());
    const summary = { cses, remarks: latest.remarks, uptime: performance.now() - this.#began };
    this.#redrawn.draw(blockOf(summary, { columns: terminal.columns(), colors: this.#colors }));
  }

  #writeLines(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#lines !== '') this.#options.err(this.#lines);
    this.#lines = '';
  }
}

/** Each call reads the current state of the CSE. */
function stateOf({ cse, node, activity }: RunningNode): () => CseState {
  let samples: { readonly at: number; readonly requests: number }[] = [];
  return () => {
    const { counts } = activity;
    const now = { at: performance.now(), requests: counts.requests };
    samples = [...samples, now].slice(-rateOver - 1);
    const [first = now] = samples;
    const seconds = (now.at - first.at) / 1000;
    const rate = seconds === 0 ? 0 : (now.requests - first.requests) / seconds;
    const registrations = node.registrations.map(({ remote, registered }) => ({ at: remote, registered }));
    return { cse, rate, registrations, ...counts, ...activity.census() };
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RedrawnBlock } from './redrawn-block.ts';

const written = new RegExp(
  ['ESC\\[(\\d+)A', 'ESC\\[0J', '\\r', '\\n', '[^ESC\\r\\n]+'].join('|').replaceAll('ESC', String.fromCharCode(27)),
  'g',
);

/** What a person sees: lines, of which one has the cursor. It knows what Redrawn writes and nothing else. */
class Screen {
  lines = [''];
  columns = 20;
  rows = 10;

  write(text: string): void {
    for (const [piece, up] of text.matchAll(written)) {
      if (up !== undefined) this.lines.splice(-Number(up));
      else if (piece === '\n') this.lines.push('');
      else if (piece === '\u001b[0J') this.lines[this.lines.length - 1] = '';
      else if (piece !== '\r') this.#type(piece);
    }
  }

  /** As a terminal does that gets narrower. */
  narrow(columns: number): void {
    this.columns = columns;
    this.lines = this.lines.flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? ['']);
  }

  #type(text: string): void {
    this.lines[this.lines.length - 1] += text;
  }
}

function drawnOn(screen: Screen): RedrawnBlock {
  return new RedrawnBlock({
    write: (text) => screen.write(text),
    columns: () => screen.columns,
    rows: () => screen.rows,
  });
}

const lines = (...texts: string[]) => texts.map((text) => ({ text, width: text.length }));

test('a block is drawn in the place of the one before, and what stands above it stays', () => {
  const screen = new Screen();
  screen.write('ready\n');
  const redrawn = drawnOn(screen);
  redrawn.draw(lines('one', 'two', 'three'));
  redrawn.draw(lines('four'));
  assert.deepEqual(screen.lines, ['ready', 'four', '']);
  redrawn.erase();
  redrawn.erase();
  assert.deepEqual(screen.lines, ['ready', '']);
});

test('a block that a narrower terminal has wrapped goes as a whole', () => {
  const screen = new Screen();
  screen.write('ready\n');
  const redrawn = drawnOn(screen);
  redrawn.draw(lines('0123456789', '', '01234'));
  screen.narrow(5);
  assert.deepEqual(screen.lines, ['ready', '01234', '56789', '', '01234', '']);
  redrawn.draw(lines('one'));
  assert.deepEqual(screen.lines, ['ready', 'one', '']);
});

test('no more is drawn than the height of the terminal takes', () => {
  const screen = new Screen();
  screen.rows = 3;
  const redrawn = drawnOn(screen);
  redrawn.draw(lines('one', 'two', 'three', 'four'));
  assert.deepEqual(screen.lines, ['one', 'two', '']);
});

test('what is left stays where it is', () => {
  const screen = new Screen();
  const redrawn = drawnOn(screen);
  redrawn.draw(lines('one'));
  redrawn.leave();
  screen.write('[1]+ Stopped\n');
  redrawn.draw(lines('two'));
  redrawn.draw(lines('three'));
  assert.deepEqual(screen.lines, ['one', '[1]+ Stopped', 'three', '']);
});

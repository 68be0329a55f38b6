/** The text of a scenario file; Ctrl+Space offers what the grammar allows at the caret. */
import type { CSSProperties, TargetedKeyboardEvent } from 'preact';
import type { Completion } from '../../../scenarios/completion/complete.ts';
import { redraw } from '../../../sim/web/page/frames.ts';
import { attempt, complete, put, state } from './state.ts';

/** What is offered, where, and which of it Enter takes. */
let popup: (Completion & { readonly at: number; readonly active: number; readonly style: CSSProperties }) | undefined;

export function Editor({ isReadOnly }: { isReadOnly: boolean }) {
  const options = popup?.options ?? [];
  const attributes = {
    ...{ id: 'text', 'aria-label': 'Scenario file', spellcheck: false, readOnly: isReadOnly, value: state.text },
    ...(!isReadOnly && { 'aria-autocomplete': 'list' as const, 'aria-haspopup': 'listbox' as const }),
    ...(popup && { 'aria-controls': 'offered', 'aria-activedescendant': `offered-${popup.active}` }),
    ...{ onKeyDown: onKey, onBlur: close, onPointerDown: close, onScroll: close },
  };
  return (
    <>
      <div class="editor">
        <textarea {...attributes} onInput={({ currentTarget }) => onTyped(currentTarget)} />
        {popup && <Suggestions />}
      </div>
      <p class="muted" role="status">
        {popup && `${options.length} offered: arrow keys, Enter, Escape`}
        {!popup && !isReadOnly && 'Ctrl+Space offers what the grammar allows at the caret.'}
      </p>
      <Problems />
    </>
  );
}

function Suggestions() {
  if (popup === undefined) return null;
  const { options, active, style } = popup;
  return (
    <div
      id="offered"
      role="listbox"
      aria-label="Offered"
      style={style}
      onPointerDown={(event) => event.preventDefault()}
    >
      {options.map(({ text, says }, at) => {
        const attributes = { role: 'option' as const, 'aria-selected': at === active, onClick: () => accept(at) };
        return (
          <div
            {...{ key: text, id: `offered-${at}`, tabIndex: -1, ...attributes }}
            ref={(one) => void (at === active && one?.scrollIntoView({ block: 'nearest' }))}
          >
            <b>{text.trim()}</b> <span class="muted">{says}</span>
          </div>
        );
      })}
    </div>
  );
}

const textArea = () => document.querySelector<HTMLTextAreaElement>('#text');

function onTyped(area: HTMLTextAreaElement): void {
  put({ text: area.value });
  if (popup !== undefined) ask(area);
}

function onKey(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  const { key, ctrlKey, currentTarget } = event;
  if (ctrlKey && key === ' ' && !currentTarget.readOnly) ask(currentTarget);
  else if (popup === undefined) return;
  else if (key === 'ArrowDown') move(popup.active + 1);
  else if (key === 'ArrowUp') move(popup.active - 1);
  else if (key === 'Enter') accept(popup.active);
  else if (key === 'Escape') close();
  else {
    if (/^(Arrow|Home|End|Page)/.test(key)) close();
    return;
  }
  event.preventDefault();
}

function move(to: number): void {
  if (popup === undefined) return;
  const { length } = popup.options;
  popup = { ...popup, active: (to + length) % length };
  redraw();
}

function close(): void {
  if (popup === undefined) return;
  popup = undefined;
  redraw();
}

function ask(area: HTMLTextAreaElement): void {
  const { value, selectionStart: at } = area;
  attempt(async () => {
    const found = await complete(value, at);
    // Further typing has requested again.
    if (area.value !== value || area.selectionStart !== at) return;
    const style = styleAt(area, value.slice(0, found.from));
    popup = found.options.length === 0 ? undefined : { ...found, at, active: 0, style };
  });
}

/** Below the line, or above it where there is more room. */
function styleAt(area: HTMLTextAreaElement, before: string): CSSProperties {
  const height = Number.parseFloat(getComputedStyle(area).lineHeight);
  const lines = before.split('\n');
  const top = lines.length * height - area.scrollTop;
  const left = `max(0rem, min(${lines.at(-1)?.length ?? 0}ch + 0.75rem - ${area.scrollLeft}px, 100% - 22rem))`;
  return top < area.clientHeight / 2
    ? { '--left': left, top: `calc(${top}px + 0.6rem)` }
    : { '--left': left, bottom: `calc(100% - ${top - height}px - 0.4rem)` };
}

/** As if it were typed, so that it can be undone. */
function accept(at: number): void {
  const [area, option] = [textArea(), popup?.options[at]];
  if (area === null || popup === undefined || option === undefined) return;
  area.focus();
  area.setSelectionRange(popup.from, popup.at);
  popup = undefined;
  document.execCommand('insertText', false, option.text);
  redraw();
}

function Problems() {
  if (state.problems.length === 0) return null;
  return (
    <div class="bad problems" role="alert">
      <ul>
        {state.problems.map(({ file, line, column, length, message }) => (
          <li key={`${file}:${line}:${column}:${message}`}>
            <button type="button" class="plain" onClick={() => goTo(line, column, length)}>
              {file.split(/[/\\]/).at(-1)}:{line}:{column}
            </button>
            : {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Marks what is wrong. */
function goTo(line: number, column: number, length: number): void {
  const before = state.text.split('\n').slice(0, line - 1);
  const from = before.reduce((sum, one) => sum + one.length + 1, column - 1);
  textArea()?.focus();
  textArea()?.setSelectionRange(from, from + length);
}

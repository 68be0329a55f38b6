/** A long list of which only the visible rows are on the page. */
import { Component, type ComponentChild, createRef, type HTMLAttributes } from 'preact';

/** Rows beyond the visible ones, above and below. */
const spare = 8;

interface Row {
  readonly key: string;
  readonly attributes: HTMLAttributes<HTMLDivElement>;
  readonly content: ComponentChild;
}

interface ListProps {
  readonly id: string;
  readonly label: string;
  readonly role: 'tree' | 'listbox';
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** The chosen index, or -1. */
  readonly active: number;
  /** The same at this moment: keys come faster than frames. */
  readonly current: () => number;
  readonly row: (index: number) => Row;
  readonly choose: (index: number) => void;
  /** True for a key that was handled. */
  readonly onKey?: (key: string, index: number) => boolean;
  /** It stays at its end until the user scrolls up. */
  readonly follows?: boolean;
  /** Rows removed at its beginning so far. */
  readonly shifted?: number;
}

interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** The arrow keys move the choice. */
export class List extends Component<ListProps, Viewport> {
  override state: Viewport = { top: 0, height: 600 };
  readonly #box = createRef<HTMLDivElement>();
  #isAtEnd = true;
  readonly #resized = new ResizeObserver(([entry]) => this.setState({ height: entry?.contentRect.height ?? 600 }));

  override componentDidMount(): void {
    if (this.#box.current !== null) this.#resized.observe(this.#box.current);
    this.#keepInPlace(0);
  }

  override componentWillUnmount(): void {
    this.#resized.disconnect();
  }

  override componentDidUpdate(former: ListProps): void {
    this.#keepInPlace(former.shifted ?? 0);
    const { active, rowHeight } = this.props;
    const box = this.#box.current;
    if (box === null || active < 0 || active === former.active || document.activeElement !== box) return;
    const [from, to] = [active * rowHeight, (active + 1) * rowHeight];
    if (from < box.scrollTop) box.scrollTop = from;
    else if (to > box.scrollTop + box.clientHeight) box.scrollTop = to - box.clientHeight;
  }

  #keepInPlace(before: number): void {
    const { follows, shifted = 0, rowHeight } = this.props;
    const box = this.#box.current;
    if (box === null) return;
    if (follows && this.#isAtEnd) box.scrollTop = box.scrollHeight;
    else if (shifted > before) box.scrollTop -= (shifted - before) * rowHeight;
  }

  #scrolled({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement): void {
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight < 4;
    this.setState({ top: scrollTop });
  }

  #pressed(event: KeyboardEvent): void {
    const { current, count, choose, onKey, rowHeight } = this.props;
    const active = current();
    const page = Math.max(1, Math.floor(this.state.height / rowHeight) - 1);
    const goals = new Map([
      ['ArrowDown', active + 1],
      ['ArrowUp', active - 1],
      ['PageDown', active + page],
      ['PageUp', active - page],
      ['Home', 0],
      ['End', count - 1],
    ]);
    const goal = goals.get(event.key);
    if (goal !== undefined && count > 0) choose(Math.min(count - 1, Math.max(0, goal)));
    else if (!onKey?.(event.key, active)) return;
    event.preventDefault();
  }

  override render({ id, label, role, count, rowHeight, active, row, choose }: ListProps, { top, height }: Viewport) {
    const first = Math.max(0, Math.floor(top / rowHeight) - spare);
    const last = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
    const indices = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
    const attributes = {
      ...{ id, role, ref: this.#box, class: 'list', tabIndex: 0, 'aria-label': label },
      ...(active >= first && active < last && { 'aria-activedescendant': `${id}-${row(active).key}` }),
      onKeyDown: (event: KeyboardEvent) => this.#pressed(event),
    };
    return (
      <div {...attributes} onScroll={({ currentTarget }) => this.#scrolled(currentTarget)}>
        <div class="list-inner" role="presentation" style={{ height: `${count * rowHeight}px` }}>
          {indices.map((index) => {
            const { key, attributes, content } = row(index);
            const style = { transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` };
            return (
              <div {...attributes} {...{ id: `${id}-${key}`, style, onClick: () => choose(index) }} key={key}>
                {content}
              </div>
            );
          })}
        </div>
      </div>
    );
  }
}

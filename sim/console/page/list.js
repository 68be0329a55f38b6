// @ts-check
/** A long list of which only what can be seen is on the page. */
import { Component, createRef, h } from './preact.js';

/** Rows beyond what is seen, above and below. */
const spare = 8;

/**
 * @typedef {{ id: string, label: string, role: string, count: number, rowHeight: number, active: number, current: () => number,
 *   row: (place: number) => any, keyOf: (place: number) => string | number, choose: (place: number) => void,
 *   onKey?: (key: string, place: number) => boolean, follows?: boolean, shifted?: number }} ListProps
 */

/** The arrow keys move the choice; `active` is its place, or -1. With `follows` it stays at its end, until somebody scrolls up. */
export class List extends Component {
  constructor() {
    super();
    this.box = createRef();
    this.state = { top: 0, height: 600 };
    this.isAtEnd = true;
    this.resized = new ResizeObserver(([entry]) => this.setState({ height: entry?.contentRect.height ?? 600 }));
    this.scrolled = () => {
      const { scrollTop, scrollHeight, clientHeight } = this.box.current;
      this.isAtEnd = scrollHeight - scrollTop - clientHeight < 4;
      this.setState({ top: scrollTop });
    };
  }

  componentDidMount() {
    this.resized.observe(this.box.current);
    this.keepInPlace(this.props);
  }

  componentWillUnmount() {
    this.resized.disconnect();
  }

  /** @param {ListProps} former */
  componentDidUpdate(former) {
    this.keepInPlace(former);
    const { active, rowHeight } = this.props;
    if (active >= 0 && active !== former.active && document.activeElement === this.box.current) {
      const { scrollTop, clientHeight } = this.box.current;
      const [from, to] = [active * rowHeight, (active + 1) * rowHeight];
      if (from < scrollTop) this.box.current.scrollTop = from;
      else if (to > scrollTop + clientHeight) this.box.current.scrollTop = to - clientHeight;
    }
  }

  /** @param {ListProps} former */
  keepInPlace({ shifted: before = 0 }) {
    const { follows, shifted = 0, rowHeight } = this.props;
    const box = this.box.current;
    if (follows && this.isAtEnd) box.scrollTop = box.scrollHeight;
    else if (shifted > before) box.scrollTop -= (shifted - before) * rowHeight;
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { current, count, choose, onKey, rowHeight } = this.props;
    // Keys come faster than frames.
    const active = current();
    const page = Math.max(1, Math.floor(this.state.height / rowHeight) - 1);
    /** @type {Record<string, number>} */
    const goals = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    };
    const goal = goals[event.key];
    if (goal !== undefined && count > 0) choose(Math.min(count - 1, Math.max(0, goal)));
    else if (!onKey?.(event.key, active)) return;
    event.preventDefault();
  }

  /** @param {ListProps} props */
  render({ id, label, role, count, rowHeight, active, row, keyOf, choose }) {
    const first = Math.max(0, Math.floor(this.state.top / rowHeight) - spare);
    const last = Math.min(count, Math.ceil((this.state.top + this.state.height) / rowHeight) + spare);
    const rows = [];
    for (let place = first; place < last; place += 1) {
      const content = row(place);
      const style = { transform: `translateY(${place * rowHeight}px)`, height: `${rowHeight}px` };
      const attributes = { ...content.attributes, id: `${id}-${keyOf(place)}`, key: keyOf(place), style };
      rows.push(h('div', { ...attributes, onClick: () => choose(place) }, content.children));
    }
    return h(
      'div',
      {
        ...{ ref: this.box, id, role, class: 'list', tabIndex: 0, 'aria-label': label, onScroll: this.scrolled },
        'aria-activedescendant': active >= first && active < last ? `${id}-${keyOf(active)}` : undefined,
        onKeyDown: (/** @type {KeyboardEvent} */ event) => this.pressed(event),
      },
      h('div', { class: 'list-inner', role: 'presentation', style: { height: `${count * rowHeight}px` } }, rows),
    );
  }
}

/** @jsxRuntime automatic @jsxImportSource preact */
/** Parts of a page that the console and the HTML report have in common; what they are given is text, never markup. */
import type { ComponentChildren, ComponentProps } from 'preact';

/** A word in the colour of its tone; `mark` says the same to who sees no colours. */
export function Badge({ tone, mark, children }: BadgeProps) {
  return (
    <b class={`badge ${tone}`}>
      {mark !== undefined && `${mark} `}
      {children}
    </b>
  );
}

interface BadgeProps {
  readonly tone: string | undefined;
  readonly mark?: string | undefined;
  readonly children: ComponentChildren;
}

/** Only the one that is selected is reached by the Tab key. */
export function Tab({ id, panel, isSelected, children, ...handlers }: TabProps) {
  return (
    <button
      {...handlers}
      type="button"
      role="tab"
      id={`tab-${id}`}
      aria-controls={panel}
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
    >
      {children}
    </button>
  );
}

interface TabProps extends Pick<ComponentProps<'button'>, 'onClick' | 'onKeyDown'> {
  readonly id: string;
  /** Identifier of what it shows. */
  readonly panel: string;
  readonly isSelected: boolean;
  readonly children: ComponentChildren;
}

/** What was sent, answered or stored, as it is, with its name; `aside`: what stands beside the name. */
export function Verbatim({ name, aside, children, ...more }: VerbatimProps) {
  return (
    <figure class={more.class}>
      <figcaption>
        {name}
        {aside}
      </figcaption>
      <pre tabIndex={more.tabIndex}>{children}</pre>
    </figure>
  );
}

interface VerbatimProps {
  readonly name: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly class?: string | undefined;
  /** 0 where the keyboard has to reach it, because it scrolls. */
  readonly tabIndex?: number;
  readonly children: ComponentChildren;
}

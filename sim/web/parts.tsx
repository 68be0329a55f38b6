/** @jsxRuntime automatic @jsxImportSource preact */
/** Parts shared by the console and the HTML report; they get text, never markup. */
import type { ComponentChildren, ComponentProps } from 'preact';

/** A word in the colour of its tone; `mark` says the same without colours. */
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

/** The Tab key reaches only the selected one. */
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
  /** Identifier of its panel. */
  readonly panel: string;
  readonly isSelected: boolean;
  readonly children: ComponentChildren;
}

/** A text as it was sent, answered or stored, with its name; `aside` is beside the name. */
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
  /** 0 where it scrolls, so that the keyboard reaches it. */
  readonly tabIndex?: number;
  readonly children: ComponentChildren;
}

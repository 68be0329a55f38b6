/** Shared controls; each has a visible name. */
import type { ComponentChild } from 'preact';
import { redraw } from '../../web/page/frames.ts';

/** On or off. */
export function Switch({ name, isOn, onToggle }: { name: string; isOn: boolean; onToggle: () => void }) {
  return (
    <button type="button" role="switch" aria-checked={isOn} class="switch" onClick={onToggle}>
      {name}
    </button>
  );
}

export function Labelled({ name, children }: { name: string; children: ComponentChild }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is what it is given
    <label>
      <span>{name}</span>
      {children}
    </label>
  );
}

/** `onText` gets the typed text. */
export function Field({ name, value, onText, ...more }: FieldProps) {
  const typed = (text: string): void => {
    onText(text);
    redraw();
  };
  return (
    <Labelled name={name}>
      <input {...more} value={value} onInput={({ currentTarget }) => typed(currentTarget.value)} />
    </Labelled>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly id?: string;
  readonly type?: 'search';
  readonly size?: number;
  readonly placeholder?: string;
  readonly title?: string;
}

/** Names with their values. */
export function Attributes({ of }: { of: ReadonlyArray<readonly [name: string, value: ComponentChild]> }) {
  return (
    <dl class="attributes">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Count } from '../document/model.ts';
import { levelWords } from '../wording.ts';

/** The line above the headline of a page, with the button for light and dark. */
export function Eyebrow({ children }: { children: ComponentChildren }) {
  return (
    <div class="eyebrow">
      <span>{children}</span>
      <button type="button" id="theme" aria-label="Switch between light and dark">
        <span aria-hidden="true">◐</span>
      </button>
    </div>
  );
}

/** `label` is for screen readers, `hint` stands in the empty box. */
export function SearchBox({ label, hint }: { label: string; hint: string }) {
  return (
    <label class="search">
      <span class="visually-hidden">{label}</span>
      <input id="search" type="search" placeholder={hint} autocomplete="off" />
    </label>
  );
}

/** Buttons that narrow every view, for what there is. No button pressed means everything. */
export function VerdictButtons({ counts }: { counts: ReadonlyArray<Pick<Count, 'name' | 'mark' | 'tone' | 'count'>> }) {
  return (
    <fieldset>
      <legend class="visually-hidden">Verdict</legend>
      {counts
        .filter(({ count }) => count > 0)
        .map(({ name, mark, tone, count }) => (
          <button key={name} type="button" class={tone} data-filter-verdict={name} aria-pressed="false">
            <span aria-hidden="true">{mark}</span> {count.toLocaleString('en')} {name}
          </button>
        ))}
    </fieldset>
  );
}

/** The same by level, where there are several. */
export function LevelButtons({ levels }: { levels: Iterable<keyof typeof levelWords> }) {
  const different = [...new Set(levels)];
  if (different.length < 2) return null;
  return (
    <fieldset>
      <legend class="visually-hidden">Level</legend>
      {different.map((level) => (
        <button key={level} type="button" class="quiet" data-filter-level={level} aria-pressed="false">
          {levelWords[level]}
        </button>
      ))}
    </fieldset>
  );
}

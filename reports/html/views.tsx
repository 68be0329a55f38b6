/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';

/** What a tab of a page shows. */
export interface View {
  readonly key: string;
  readonly title: string;
  readonly count: number;
  /** True for a view without entries that the search could narrow; its count is not shown. */
  readonly plain?: true;
  readonly content: ComponentChildren;
}

/** The tabs and what they show. Views without content are left out; the first one is shown. */
export function Views({ views }: { views: readonly View[] }) {
  const shown = views.filter(({ count }) => count > 0);
  return (
    <>
      <div role="tablist" aria-label="Views">
        {shown.map((view, index) => (
          <Tab key={view.key} view={view} isFirst={index === 0} />
        ))}
      </div>
      <p id="matches" class="visually-hidden" role="status" />
      {shown.map(({ key, content, title, plain }, index) => (
        <section key={key} role="tabpanel" id={`view-${key}`} aria-labelledby={`tab-${key}`} hidden={index !== 0}>
          <h2 class="visually-hidden">{title}</h2>
          {content}
          {plain !== true && (
            <p class="nothing" hidden>
              Nothing here matches the search and filters. <button type="button">Show everything</button>
            </p>
          )}
        </section>
      ))}
    </>
  );
}

function Tab({ view: { key, title, count, plain }, isFirst }: { view: View; isFirst: boolean }) {
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${key}`}
      aria-controls={`view-${key}`}
      aria-selected={isFirst}
      tabIndex={isFirst ? 0 : -1}
    >
      {title} {plain !== true && <span class="count">{count}</span>}
    </button>
  );
}

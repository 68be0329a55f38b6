/** @jsxRuntime automatic @jsxImportSource preact */
import type { DeathFacts } from '../death-facts.ts';
import { visibleText } from '../visible-text.ts';

/** Each death of the target with its requests, and how to send them. */
export function DeathsPanel({ deaths }: { deaths: readonly DeathFacts[] }) {
  return (
    <>
      {deaths.map(({ title, says, lines, curl }) => (
        <article
          key={title}
          class="unjudged"
          data-text={says}
          data-verdict="violated lost"
          data-level="documented gap standard"
        >
          <header>
            <h3>{visibleText(says)}</h3>
            <span class="muted">{title}</span>
          </header>
          <ul>
            {lines.map((line) => (
              <li key={line}>{visibleText(line)}</li>
            ))}
          </ul>
          {curl.map((line) => (
            <pre key={line}>
              <code>{visibleText(line)}</code>
            </pre>
          ))}
        </article>
      ))}
    </>
  );
}

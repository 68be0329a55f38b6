/** @jsxRuntime automatic @jsxImportSource preact */
/** What of a page holds nothing but words: sentences, facts, lists, messages. */
import type { ComponentChildren } from 'preact';
import { searchText } from '../html/anchor.ts';
import { visibleLines, visibleText } from '../visible-text.ts';
import { type Block, type Code, type Fact, textOf, type Words } from './model.ts';

export function Paragraph({ words }: { words: Words }) {
  const isMuted = typeof words === 'object' && 'text' in words && words.as === 'muted';
  return isMuted ? <p class="muted">{visibleText(words.text)}</p> : <p>{<Said words={words} />}</p>;
}

/** Words of which each looks as it should. */
export function Said({ words }: { words: Words }): ComponentChildren {
  if (typeof words === 'string') return visibleText(words);
  if (!('text' in words)) return words.map((one, at) => <Said key={at} words={one} />);
  const { text, as, tone, to } = words;
  const shown = visibleText(text);
  if (to !== undefined) return <a href={`#${to}`}>{as === 'code' ? <code>{shown}</code> : shown}</a>;
  if (as === 'code') return <code>{shown}</code>;
  if (as === 'strong') return <strong>{shown}</strong>;
  if (as === 'badge') return <span class={`badge ${tone}`}>{shown}</span>;
  if (as === 'muted') return <span class="muted">{shown}</span>;
  return tone === undefined ? shown : <span class={`toned ${tone}`}>{shown}</span>;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="check">
      {facts.map(([label, ...lines]) => (
        <>
          <dt>{visibleText(label)}</dt>
          <dd>
            {lines.map((words, at) => (
              <div key={at}>
                <Said words={words} />
              </div>
            ))}
          </dd>
        </>
      ))}
    </dl>
  );
}

export function List({ list: { items, isOrdered, ids } }: { list: Extract<Block, { kind: 'list' }> }) {
  if (ids !== undefined) {
    return (
      <ul class="ids many">
        {items.map((words) => (
          <li key={textOf(words)} data-text={searchText([textOf(words)])} {...(ids !== 'any' && { 'data-level': ids })}>
            <Said words={words} />
          </li>
        ))}
      </ul>
    );
  }
  const each = items.map((words, at) => (
    <li key={at}>
      <Said words={typeof words === 'object' && 'text' in words ? words.text : words} />
    </li>
  ));
  return isOrdered ? <ol>{each}</ol> : <ul class="sentences">{each}</ul>;
}

/** What was sent or answered, or is to be copied. */
export function CodeView({ code: { label, text, marked, isCopied } }: { code: Code }) {
  const lines = visibleLines(text);
  const shown = lines.map((line, at) => [at > 0 ? '\n' : '', marked?.has(at) ? <mark>{line}</mark> : line]);
  return (
    <figure class={isCopied ? 'command' : undefined}>
      <figcaption>
        {visibleText(label)}
        {isCopied && (
          <button type="button" class="copy">
            Copy
          </button>
        )}
      </figcaption>
      <pre>{marked === undefined || marked.size === 0 ? lines.join('\n') : shown}</pre>
    </figure>
  );
}

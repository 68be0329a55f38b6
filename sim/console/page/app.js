// @ts-check
/** The beginning of the page. */
import { board } from './board.js';
import { drawnBy } from './frames.js';
import { listen } from './live.js';
import { h, render } from './preact.js';

const place = document.getElementById('console');
if (place !== null) {
  place.replaceChildren();
  drawnBy(() => render(h(board, {}), place));
  listen();
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key !== '/' || typing) return;
    event.preventDefault();
    document.getElementById('filter')?.focus();
  });
}

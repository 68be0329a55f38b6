/** The page is drawn at most once a frame, however much happens meanwhile. */

let planned = false;
let drawn = 0;
let draw = () => {};

export function drawnBy(all: () => void): void {
  draw = all;
  redraw();
}

/** Soon, in the next frame. */
export function redraw(): void {
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    planned = false;
    drawn += 1;
    draw();
    document.documentElement.dataset.frames = String(drawn);
  });
}

/** Draws the page at most once a frame, however much changes meanwhile. */

let isPlanned = false;
let frameCount = 0;
let draw = () => {};

export function renderWith(all: () => void): void {
  draw = all;
  redraw();
}

/** Draws in the next frame. */
export function redraw(): void {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    frameCount += 1;
    draw();
    document.documentElement.dataset.frames = String(frameCount);
  });
}

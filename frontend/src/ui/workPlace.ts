/** Where the work is: the canvas, or the screen that is shown instead. */
export const workPlace = () =>
  document.querySelector<HTMLElement>(".canvas-menu") ?? document.querySelector<HTMLElement>("main");

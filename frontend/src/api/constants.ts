// Made from the Go code: go test ./backend -run PageConstants -update

/** The size of an agent on the canvas, in pixels. */
export const NODE_W = 180;
export const NODE_H = 70;
/** How far the frame of a group reaches beyond its members: aside, above for its name, below. */
export const FRAME = { side: 16, head: 30, foot: 14 };
/** What the id of an agent looks like. */
export const ID_SHAPE = /^[a-z0-9_][a-z0-9_-]{0,63}$/;

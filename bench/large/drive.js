// Hands for a page that shows a team, from inside it: events as a mouse, a wheel and a
// keyboard make them, one a frame. The same code drives AgentFlow and plain React Flow, in
// Chromium and in the window's web view, so that what it costs is the same everywhere.
globalThis.agentflowHands ??= (() => {
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  /** After the frame that is being made has been handed on. */
  const afterFrame = () => new Promise((done) => requestAnimationFrame(() => soon(done)));
  const soon = (done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done(performance.now());
    };
    port2.postMessage(0);
  };
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  async function until(what, ask) {
    for (const end = performance.now() + 60_000; ;) {
      const v = ask();
      if (v) return v;
      if (performance.now() > end) throw new Error(`still waiting for ${what}`);
      await nextFrame();
    }
  }

  const box = () => document.querySelector(".react-flow").getBoundingClientRect();
  const view = () => new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform);
  const middle = () => {
    const r = box();
    return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  };
  const place = ({ x, y }) => {
    const r = box(),
      v = view();
    return { x: r.left + v.e + x * v.a, y: r.top + v.f + y * v.a };
  };
  const mouse = (type, at, more = {}) => {
    const Kind = type.startsWith("pointer") ? PointerEvent : MouseEvent;
    document.elementFromPoint(at.x, at.y)?.dispatchEvent(
      new Kind(type, {
        bubbles: true,
        cancelable: true,
        view: window,
        clientX: at.x,
        clientY: at.y,
        pointerType: "mouse",
        isPrimary: true,
        pointerId: 1,
        ...more,
      }),
    );
  };
  const wheel = (at, more) =>
    document.elementFromPoint(at.x, at.y)?.dispatchEvent(
      new WheelEvent("wheel", {
        bubbles: true,
        cancelable: true,
        view: window,
        clientX: at.x,
        clientY: at.y,
        ...more,
      }),
    );

  /** Does something each frame and tells how many frames there were. */
  async function frames(ms, act) {
    await nextFrame();
    const began = performance.now();
    let now = began,
      n = 0,
      worst = 0;
    while (now - began < ms) {
      act(n++);
      await nextFrame();
      const then = now;
      now = performance.now();
      worst = Math.max(worst, now - then);
    }
    return { frames: n, ms: now - began, worst };
  }
  /** The longest time for which the page made no frame, while something goes on. */
  async function longest(during) {
    let on = true,
      worst = 0;
    const watch = (async () => {
      for (let then = performance.now(); on;) {
        await nextFrame();
        const now = performance.now();
        worst = Math.max(worst, now - then);
        then = now;
      }
    })();
    const result = await during();
    on = false;
    await watch;
    return { ...result, worst };
  }

  /** There and back again. */
  const sway = (n) => (Math.floor(n / 20) % 2 ? -1 : 1);
  /** Moves the view, and when that was measured back to where it stood: slow pages are interrupted on the way. */
  async function pan(ms) {
    const was = view();
    const result = await frames(ms, (n) => wheel(middle(), { deltaX: 14 * sway(n), deltaY: 6 * sway(n) }));
    await until("the view to be back", () => {
      const now = view(),
        deltaX = now.e - was.e,
        deltaY = now.f - was.f;
      if (Math.abs(deltaX) < 2 && Math.abs(deltaY) < 2) return true;
      wheel(middle(), { deltaX, deltaY });
      return false;
    });
    return result;
  }

  async function drag(ms, centre) {
    const from = place(centre),
      at = { ...from };
    mouse("pointermove", at);
    mouse("mousemove", at);
    await afterFrame();
    if (!document.elementFromPoint(at.x, at.y)?.closest(".react-flow__node"))
      throw new Error(`nobody can be dragged at ${Math.round(at.x)}, ${Math.round(at.y)}: something else is there`);
    mouse("pointerdown", at, { buttons: 1 });
    mouse("mousedown", at, { buttons: 1 });
    const result = await frames(ms, (n) => {
      at.x += 5 * sway(n);
      at.y += 3 * sway(n);
      mouse("pointermove", at, { buttons: 1 });
      mouse("mousemove", at, { buttons: 1 });
    });
    at.x = from.x + 80;
    at.y = from.y + 48;
    mouse("pointermove", at, { buttons: 1 });
    mouse("mousemove", at, { buttons: 1 });
    await afterFrame();
    mouse("pointerup", at);
    mouse("mouseup", at);
    await afterFrame();
    return result;
  }

  async function click(centre) {
    const at = place(centre);
    mouse("pointermove", at);
    mouse("mousemove", at);
    await afterFrame();
    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) mouse(type, at);
    await afterFrame();
  }

  /** Zooms about the middle. */
  async function zoomTo(k) {
    await until(`zoom ${k}`, () => {
      const missing = Math.log2(k / view().a);
      if (Math.abs(missing) < 0.01) return true;
      wheel(middle(), { deltaY: Math.max(-200, Math.min(200, -missing / 0.002)), ctrlKey: true });
      return false;
    });
    await rest(300); // React Flow says when a movement has ended
  }

  /** Begins at the start of a frame and ends when that frame was handed on, with all the work it caused. */
  const inFrame = (act) =>
    new Promise((done) =>
      requestAnimationFrame(() => {
        const began = performance.now();
        act();
        soon((end) => done(end - began));
      }),
    );
  /** Inserts text as the browser does for a key. Setting a field's value makes WebKit redraw its whole window. */
  const write = (letter) => {
    if (!document.execCommand("insertText", false, letter)) throw new Error("the field takes no letter");
  };

  /** Types a text, letter by letter, at the pace of a fast hand. */
  async function type(selector, text) {
    const el = await until("the field", () => document.querySelector(selector));
    el.focus();
    el.setSelectionRange(el.value.length, el.value.length);
    return longest(async () => {
      const keys = [];
      for (const letter of text) {
        keys.push(await inFrame(() => write(letter)));
        await rest(60);
      }
      await rest(900); // what was typed is saved, and answered
      if (!el.value.endsWith(text)) throw new Error(`the field says ${el.value}`);
      return { keys };
    });
  }

  const press = (key, more = {}) =>
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
    );
  /**
   * Measures from the key until a presented frame shows the node where it was. It checks each frame: in a script that
   * a driver runs, events arrive late, and the next frame would be taken.
   */
  async function undo(id) {
    document.activeElement?.blur();
    const el = document.querySelector(`.react-flow__node[data-id="${id}"]`),
      was = el.style.transform,
      began = performance.now();
    press("z", { ctrlKey: true });
    const end = await new Promise((done) => {
      const look = () => {
        if (el.style.transform === was) requestAnimationFrame(look);
        else soon(done);
      };
      requestAnimationFrame(look);
    });
    return { ms: end - began };
  }

  /** From the click on a button until it can be pressed again. */
  const command = (label) =>
    longest(async () => {
      const button = document.querySelector(`button[aria-label^="${label}"]`),
        began = performance.now();
      button.click();
      await until("the command to begin", () => button.disabled || button.getAttribute("aria-disabled") === "true");
      await until("the command to end", () => !button.disabled && button.getAttribute("aria-disabled") !== "true");
      await afterFrame();
      return { ms: performance.now() - began };
    });

  /** Opens the search on the canvas, types and goes to the first match. */
  async function search(text, found) {
    document.activeElement?.blur();
    press("f", { ctrlKey: true });
    const typed = await type(".searchbar input", text),
      began = performance.now();
    await until("the number of matches", () =>
      document.querySelector(".searchbar [role=status]")?.textContent.includes(found),
    );
    return { ...typed, ms: performance.now() - began };
  }

  /** When the page had painted its first picture, and how many agents it shows. */
  const opened = () =>
    until("the first frame", () => {
      const [mark] = performance.getEntriesByName("agentflow:first-frame");
      return mark && { ms: mark.startTime };
    });

  return {
    pan,
    drag,
    click,
    zoomTo,
    type,
    undo,
    command,
    search,
    opened,
    rest,
    view: () => {
      const v = view();
      return { x: v.e, y: v.f, zoom: v.a };
    },
  };
})();

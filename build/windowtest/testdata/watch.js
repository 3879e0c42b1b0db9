// Keeps all that a page shows of a task, from now on, in the order in which it is shown. It is run as a function's body.
const seen = (window.watched = []);
let last = "";
const look = () => {
  const task = document.querySelector("section.task");
  if (!task) return;
  const bar = task.querySelector("[role=progressbar]"),
    log = task.querySelector("[role=log]");
  const now = {
    status: task.querySelector("header [role=status]")?.textContent ?? "",
    progress: bar ? Number(bar.getAttribute("aria-valuenow")) : null,
    output: log ? [...log.querySelectorAll(":scope > div > :is(pre, .md)")].map((p) => p.textContent).join("") : null,
    result: task.querySelector(".task-result")?.textContent ?? null,
  };
  const text = JSON.stringify(now);
  if (text !== last) seen.push(now);
  last = text;
};
new MutationObserver(look).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
});
look();

// Elements of the page.

export const $ = (id) => document.getElementById(id);

export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function button(text, press, title = "") {
  const made = element("button", text);
  made.type = "button";
  if (title) made.title = made.ariaLabel = title;
  made.addEventListener("click", press);
  return made;
}

// Builds what a node holds only when it changes: what is pressed must still be there on release.
export function refresh(node, key, build) {
  const text = JSON.stringify(key);
  if (node.dataset.key === text) return;
  node.dataset.key = text;
  node.replaceChildren(...build());
}

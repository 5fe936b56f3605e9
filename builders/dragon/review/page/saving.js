// What the page asks the server and tells it: one entry after the other, again and again until the
// server has it, so that nothing is lost while it is away.

import { $ } from "./elements.js";

let last = Promise.resolve();
let waiting = 0;

export function save(value) {
  waiting += 1;
  $("saved").textContent = "Saving…";
  const sent = last.then(() => send(value)).finally(() => { waiting -= 1; });
  last = sent.catch(() => {});
  return sent;
}

async function send(value) {
  for (;;) {
    let reply = null;
    try {
      reply = await fetch("api/save", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Benchloom": "review" },
        body: JSON.stringify(value),
      });
    } catch {
      // The server has gone; it will find what is waiting here when it is back.
    }
    if (reply) {
      const said = await reply.json();
      if (reply.status === 409) { // another window was first: it is told where that is dealt with
        $("saved").textContent = "Not saved";
        throw Object.assign(new Error(said.error), { revision: said.revision });
      }
      if (!reply.ok) {
        banner(`Not saved: ${said.error}`);
        throw new Error(said.error);
      }
      banner("");
      if (waiting === 1) $("saved").textContent = `Saved ${new Date(said.time).toLocaleTimeString()}`;
      return said;
    }
    banner("Not saved yet: the server does not answer. Start it again with the same command and "
      + "leave this page open; it goes on by itself.");
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
  }
}

export function banner(text) {
  $("banner").textContent = text;
  $("banner").hidden = !text;
}

window.addEventListener("beforeunload", (event) => {
  if (waiting > 0) event.preventDefault();
});

export async function ask(address) {
  for (;;) {
    try {
      const reply = await fetch(address);
      const said = await reply.json();
      if (!reply.ok) throw new Error(said.error);
      banner("");
      return said;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      banner("The server does not answer. Start it again with the same command.");
      await new Promise((resolve) => { setTimeout(resolve, 1000); });
    }
  }
}

// Resolves when nothing is on its way.
export function settled() {
  return last;
}

"use strict";
(() => {
  const root = document.documentElement;
  const cards = [...document.querySelectorAll(".card")];
  const configs = [...document.querySelectorAll(".config")];
  const cover = document.querySelector("#cover");
  const viewer = document.querySelector(".viewer");
  const part = (name) => viewer.querySelector(name);
  let current = null;

  const isCovered = (card) =>
    root.classList.contains("covered") && !card.classList.contains("revealed");
  const listVisible = () => cards.filter((card) => !card.parentElement.hidden);

  // Filter: each config has its own answers, so its own buttons.
  const filter = (config, chosen) => {
    const wanted = chosen.dataset.answer;
    for (const button of config.querySelectorAll(".filters button")) {
      button.setAttribute("aria-pressed", String(button === chosen));
    }
    for (const split of config.querySelectorAll(".split")) {
      let left = 0;
      for (const card of split.querySelectorAll(".card")) {
        const fits = wanted === undefined || card.dataset.answer === wanted;
        card.parentElement.hidden = !fits;
        left += fits ? 1 : 0;
      }
      const none = split.querySelector(".none");
      if (none) none.hidden = left > 0;
    }
  };
  for (const config of configs) {
    config.querySelector(".filters")?.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) filter(config, button);
    });
  }

  // Hide answers: a filter by answer would give them away, so it is lifted and rests meanwhile.
  cover.addEventListener("click", () => {
    const covered = root.classList.toggle("covered");
    cover.setAttribute("aria-pressed", String(covered));
    for (const card of cards) card.classList.remove("revealed");
    for (const config of configs) {
      const filters = config.querySelector(".filters");
      if (!filters) continue;
      if (covered) filter(config, filters.querySelector("button"));
      for (const button of filters.querySelectorAll("button")) button.disabled = covered;
      filters.querySelector(".paused").hidden = !covered;
    }
  });
  const reveal = (card) => {
    card.classList.add("revealed");
    if (viewer.open && card === current) show(card);
  };

  // Enlarge: one record by itself, the arrows go through all that are not filtered out.
  const show = (card) => {
    current = card;
    const visible = listVisible();
    const place = visible.indexOf(card);
    const image = card.querySelector(".picture img");
    const text = card.querySelector(".text pre");
    const question =
      card.querySelector(".question") ?? card.closest(".config").querySelector(".question");
    const answer = card.querySelector(".answer");
    const covered = isCovered(card);
    part(".id").textContent =
      `${card.querySelector(".id").textContent} (${place + 1} of ${visible.length})`;
    part("img").hidden = !image;
    if (image) {
      part("img").src = image.src;
      part("img").alt = image.alt;
    } else {
      part("img").removeAttribute("src");
    }
    part("pre").hidden = !text;
    part("pre").textContent = text ? text.textContent : "";
    part(".question").textContent = question ? question.textContent : "";
    part(".answer").className = answer ? answer.className : "answer";
    part(".answer").textContent = answer && !covered ? answer.textContent : "";
    part(".answer").hidden = !answer || covered;
    part("#uncover").hidden = !answer || !covered;
    part("#previous").disabled = place <= 0;
    part("#next").disabled = place >= visible.length - 1;
    if (!viewer.open) viewer.showModal();
  };
  const step = (by) => {
    const visible = listVisible();
    const next = visible[visible.indexOf(current) + by];
    if (next) show(next);
  };
  part("#previous").addEventListener("click", () => step(-1));
  part("#next").addEventListener("click", () => step(1));
  part("#uncover").addEventListener("click", () => {
    reveal(current);
    part("#close").focus();
  });
  viewer.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      event.preventDefault();
      step(by);
    }
  });
  viewer.addEventListener("click", (event) => {
    if (event.target === viewer) viewer.close(); // beside the record
  });
  viewer.addEventListener("close", () => {
    current?.querySelector(".enlarge")?.focus();
  });

  document.querySelector("main").addEventListener("click", (event) => {
    const card = event.target.closest(".card");
    if (!card) return;
    if (event.target.closest(".enlarge")) {
      show(card);
    } else if (isCovered(card)) {
      reveal(card);
      if (event.target.closest(".reveal")) card.querySelector(".enlarge")?.focus();
    }
  });

  // Where one is.
  const nav = document.querySelector(".bar nav");
  const links = new Map(
    [...nav.querySelectorAll("a")].map((link, index) => [configs[index], link]),
  );
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const link = links.get(entry.target);
        if (!entry.isIntersecting) {
          link.removeAttribute("aria-current");
          continue;
        }
        link.setAttribute("aria-current", "true");
        nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
      }
    },
    { rootMargin: "-30% 0px -69% 0px" },
  );
  for (const config of configs) watcher.observe(config);
  root.classList.add("scripted");
})();

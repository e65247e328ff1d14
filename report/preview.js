// What the preview adds to a page: it reloads when there is a newer site, and lists the mistakes in the next one.
// A reload keeps what is being read where it is on the screen, though the page may have grown or shrunk above it.
(() => {
  const facts = document.currentScript.dataset;
  let state = facts.state;

  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = "/.preview.css";
  document.head.append(sheet);

  const make = (name, attributes, ...parts) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...parts);
    return element;
  };

  // --- mistakes: a panel that can be hidden, and stays as one line until they are mended

  const source = /^ *\d* [|=] /; // a line of the source, its caret or its note: these keep their columns
  let panel = null;

  function complain(lines) {
    panel?.remove();
    panel = null;
    if (lines.length) {
      const rows = lines.map(line => make("span", source.test(line) ? { class: "source" } : {}, line || " "));
      const text = make("pre", { tabindex: "0", role: "group", "aria-label": "What is wrong" }, ...rows);
      const button = make("button", { type: "button" });
      const title = make("p", { role: "alert" }, "Not built. This is the last good site.");
      panel = make("section", { id: "preview-wrong", "aria-label": "Mistakes in the sources" }, title, button, text);
      button.addEventListener("click", () => fold(!text.hidden));
      document.body.append(panel);
      fold(false);
    }
    makeRoom();
  }

  function fold(folded) {
    panel.querySelector("pre").hidden = folded;
    const button = panel.querySelector("button");
    button.textContent = folded ? "Show what is wrong" : "Hide";
    button.setAttribute("aria-expanded", String(!folded));
    makeRoom();
  }

  // The end of the page can be scrolled clear of the panel.
  const makeRoom = () => { document.body.style.paddingBottom = panel ? `${panel.offsetHeight}px` : ""; };
  sheet.addEventListener("load", makeRoom);
  addEventListener("keydown", event => {
    if (event.key === "Escape" && panel && !panel.querySelector("pre").hidden) fold(true);
  });

  // --- a reload that keeps the place

  const KEY = "preview-place";
  const blocks = () => [...document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, figure, table, dd, .equation)")];
  const words = block => block.textContent.replace(/\s+/g, " ").trim().slice(0, 200);
  const heading = block => {
    const before = [...document.querySelectorAll("main :is(h1, h2, h3, h4)[id], main .part[id]")];
    return before.findLast(one => one.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING || one === block)?.id;
  };

  function reload() {
    const top = document.querySelector(".scenario")?.getBoundingClientRect().bottom ?? 0;
    const block = scrollY > 0 && blocks().find(one => one.getBoundingClientRect().bottom > Math.max(top, 0));
    if (block) {
      const place = { at: block.getBoundingClientRect().top, words: words(block), under: heading(block), y: scrollY };
      sessionStorage.setItem(KEY, JSON.stringify(place));
    }
    history.scrollRestoration = "manual";
    location.reload();
  }

  // The sections around settle for some frames after they come near; a reader who scrolls meanwhile has the say.
  function restore() {
    history.scrollRestoration = "auto";
    const place = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    if (!place) return;
    scrollTo({ top: place.y, behavior: "instant" });
    const all = blocks(), same = all.filter(one => words(one) === place.words);
    const block = same.find(one => heading(one) === place.under) ?? same[0];
    let frames = block ? 30 : 0;
    const stop = () => { frames = 0; };
    for (const name of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(name, stop, { once: true });
    const settle = () => {
      if (frames-- <= 0) return;
      const off = block.getBoundingClientRect().top - place.at;
      if (Math.abs(off) >= 1) scrollBy({ top: off, behavior: "instant" });
      requestAnimationFrame(settle);
    };
    settle();
  }
  addEventListener("load", restore);

  // --- news

  // Pictures that are still those of the site before; the next reload brings the new ones.
  for (const name of (facts.late ?? "").split(" ").filter(Boolean)) {
    document.getElementById(`fig-${name}`)?.classList.add("preview-late");
  }
  complain(JSON.parse(facts.wrong ?? "[]"));

  const listen = () => {
    const news = new EventSource(`/.reload?${state}`);
    news.onmessage = message => {
      if (message.data === "newer") return reload();
      const [seen, lines] = JSON.parse(message.data);
      state = seen;
      complain(lines);
      news.close(); // the next question names what this page has seen by now
      listen();
    };
  };
  listen();
})();

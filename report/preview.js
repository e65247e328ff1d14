// What the preview adds to a page: it reloads when there is a newer site, and lists the mistakes in the next one.
(() => {
  const facts = document.currentScript.dataset;
  let state = facts.state;

  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = "/.preview.css";
  document.head.append(sheet);

  const complain = lines => {
    document.getElementById("preview-wrong")?.remove();
    if (!lines.length) return;
    const box = document.createElement("section");
    box.id = "preview-wrong";
    box.setAttribute("role", "alert");
    const title = document.createElement("strong");
    title.textContent = "Not built. This is the last good site.";
    const text = document.createElement("pre");
    text.textContent = lines.join("\n");
    box.append(title, text);
    document.body.append(box);
  };

  // Pictures that are still those of the site before; the next reload brings the new ones.
  for (const name of (facts.late ?? "").split(" ").filter(Boolean)) {
    document.getElementById(`fig-${name}`)?.classList.add("preview-late");
  }
  complain(JSON.parse(facts.wrong ?? "[]"));

  const listen = () => {
    const news = new EventSource(`/.reload?${state}`);
    news.onmessage = message => {
      if (message.data === "newer") return location.reload();
      const [seen, lines] = JSON.parse(message.data);
      state = seen;
      complain(lines);
      news.close(); // the next question names what this page has seen by now
      listen();
    };
  };
  listen();
})();

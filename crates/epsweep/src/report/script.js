// Sorting, filtering, enlarging and the colour scheme. Without this script everything is there, in the order of the files.
"use strict";
(() => {
  const make = (tag, attributes, text) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  };

  // ---- colour scheme: as the system says, until the reader chooses; what was chosen is kept where the browser lets us
  const root = document.documentElement;
  const store = {
    read() { try { return localStorage.getItem("epsweep-theme"); } catch { return null; } },
    write(theme) { try { localStorage.setItem("epsweep-theme", theme); } catch { /* a file may have no store */ } },
  };
  const toggle = document.getElementById("theme");
  const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => { toggle.textContent = dark() ? "Light colours" : "Dark colours"; };
  const kept = store.read();
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    store.write(root.dataset.theme);
    name();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();

  // ---- numbers as the report writes them: −1.5, 3.2 ± 0.1, 22\u202f462, (9.75 ± 0.14)×10⁴, 12 %
  const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const value = (text) => {
    const plain = text.replaceAll("−", "-").replaceAll("∞", "Infinity").replaceAll("\u202f", "");
    const found = plain.match(/^[^\d+-]?\s*([+-]?(?:Infinity|\d+(?:\.\d+)?(?:e[+-]?\d+)?))/);
    if (!found) return NaN;
    const power = plain.match(/×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/);
    const exponent = power ? (power[1] ? -1 : 1) * Number([...power[2]].map((c) => SUPER.indexOf(c)).join("")) : 0;
    return Number(found[1]) * 10 ** exponent;
  };
  const words = new Intl.Collator("en", { numeric: true });
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell ? cell.firstChild?.textContent?.trim() ?? "" : "";
  };
  // empty cells come last in either direction, and equal ones keep their order
  const order = (column, number, sign) => (a, b) => {
    const [x, y] = [key(a, column), key(b, column)];
    if (x === "" || y === "") return (x === "") - (y === "");
    if (!number) return sign * words.compare(x, y);
    const [p, q] = [value(x), value(y)];
    if (Number.isNaN(p) || Number.isNaN(q)) return Number.isNaN(p) - Number.isNaN(q);
    return p === q ? 0 : sign * (p < q ? -1 : 1);
  };

  for (const table of document.querySelectorAll("table")) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    if (rows.length < 2) continue;
    for (const head of table.tHead.rows[0].cells) {
      const button = make("button", { type: "button", class: "sort" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort") ?? "none"];
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        if (next !== "none") head.setAttribute("aria-sort", next);
        const sorted = next === "none" ? rows
          : rows.toSorted(order(head.cellIndex, head.classList.contains("number"), next === "ascending" ? 1 : -1));
        body.append(...sorted);
      });
    }
    if (rows.length < 10) continue;
    // ---- rows that hold every word that is typed
    const caption = table.caption ? table.caption.textContent : table.closest("section").querySelector("h2").textContent;
    const box = make("div", { class: "filter" });
    const field = make("input", { type: "search", placeholder: "filter rows", "aria-label": `filter rows of ${caption}` });
    const count = make("output", { "aria-live": "polite" });
    box.append(field, count);
    table.parentElement.before(box);
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !wanted.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = wanted.length ? `${shown} of ${rows.length} rows` : "";
    });
  }

  // ---- figures: one below the other, or small beside each other; a click enlarges
  const figures = [...document.querySelectorAll("figure")];
  const viewer = document.getElementById("viewer");
  const frame = viewer.querySelector(".picture");
  const label = viewer.querySelector("p");
  let current = 0;
  const show = (index) => {
    current = (index + figures.length) % figures.length;
    frame.replaceChildren(figures[current].querySelector("svg").cloneNode(true));
    label.replaceChildren(...figures[current].querySelector("figcaption").cloneNode(true).childNodes);
    if (!viewer.open) viewer.showModal();
  };
  figures.forEach((figure, index) => {
    const button = make("button", { type: "button", class: "enlarge" }, "Enlarge");
    button.setAttribute("aria-label", `enlarge figure ${index + 1}`);
    button.addEventListener("click", () => show(index));
    figure.querySelector(".picture").append(button);
    figure.querySelector("svg").addEventListener("click", () => show(index));
  });
  viewer.querySelector("[data-step='-1']").addEventListener("click", () => show(current - 1));
  viewer.querySelector("[data-step='1']").addEventListener("click", () => show(current + 1));
  viewer.querySelector("[data-close]").addEventListener("click", () => viewer.close());
  viewer.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") show(current - 1);
    if (event.key === "ArrowRight") show(current + 1);
  });
  for (const gallery of document.querySelectorAll(".figures")) {
    if (gallery.children.length < 2) continue;
    const button = make("button", { type: "button", class: "gallery", "aria-pressed": "false" }, "Gallery");
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(gallery.classList.toggle("small")));
    });
    gallery.before(button);
  }
})();

// Which rows of the ranks are shown. The page is complete without it.
(() => {
  const filters = document.getElementById("filters");
  if (filters === null) return;
  const words = document.getElementById("words");
  const differing = document.getElementById("differing");
  const top = document.getElementById("top");
  const count = document.getElementById("count");
  const rows = Array.from(document.getElementById("rows").rows);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  function show() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, number) => {
      row.hidden =
        (differing.checked && row.dataset.differs === undefined) ||
        (top.checked && row.dataset.top === undefined) ||
        !wanted.every((word) => texts[number].includes(word));
      shown += !row.hidden;
    });
    count.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} shown`;
  }
  filters.addEventListener("input", show);
  filters.addEventListener("submit", (event) => event.preventDefault());
  show();
})();

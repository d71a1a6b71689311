// The button that all pages have: as the system is, light, or dark.

(() => {
  const themes = ["system", "light", "dark"];
  const key = "gramspect-theme";
  const button = document.getElementById("theme");
  function show(theme) {
    if (theme === "system") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = theme;
    }
    button.textContent = `Theme: ${theme}`;
  }
  let kept = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    // Pages from files may have no storage; then the choice lasts as long as the page.
  }
  let theme = themes.includes(kept) ? kept : "system";
  show(theme);
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    show(theme);
    try {
      localStorage.setItem(key, theme);
    } catch {
      // As above.
    }
  });
})();

// Before the first paint: says that scripts run, sets the theme that the reader chose earlier (page.js stores it), and
// asks early for two fonts. A preload tag would do that too, but from disk browsers report it as an error.
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.remove("no-js");
  if (location.protocol === "file:") {
    root.classList.add("from-disk");
  } else {
    document.currentScript.dataset.fonts.split(" ").forEach(function (font) {
      var link = document.createElement("link");
      link.rel = "preload";
      link.as = "font";
      link.crossOrigin = "";
      link.href = font;
      document.head.appendChild(link);
    });
  }
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);
  } catch (refused) {
    // No storage (a policy, some files opened from disk): the system's own preference holds.
  }
})();

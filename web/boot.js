// Starts the page, then shuts the door behind it: a transcript that is pasted here cannot leave.

// Before anything is drawn, so that nobody who chose the dark is dazzled. Storage may be forbidden.
try {
  const theme = localStorage.getItem("pinfold-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}

const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
const { default: init } = await import(new URL(js, document.baseURI));
await init({ module_or_path: new URL(wasm, document.baseURI) });

// A policy added later can only forbid more. From here on nothing is loaded and nothing is sent, not even to this host.
const lock = document.createElement("meta");
lock.httpEquiv = "Content-Security-Policy";
lock.content = "connect-src 'none'; img-src data:";
document.head.append(lock);

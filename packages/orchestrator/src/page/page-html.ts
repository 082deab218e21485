import { pageScript } from './page-script.js';

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; }
h1 { font-size: 1.1rem; }
h2 { font-size: 1rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 0.3rem 0.6rem 0.3rem 0; text-align: left; vertical-align: top; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { font-size: 0.85rem; margin: 0.3rem 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
`;

/**
 * The page that shows a project's sessions. It contains no data; its script fetches them with the browser's
 * credentials.
 */
export function pageHtml(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Orchestrator</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<header><h1>Orchestrator</h1></header>
<main id="view"><p>Loading…</p></main>
<noscript><p>This page requires JavaScript.</p></noscript>
<script nonce="${nonce}">${pageScript}</script>
</body>
</html>
`;
}

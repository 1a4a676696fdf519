import { renderPage } from '../html/page.ts';
import { html } from '../html/template.ts';
import { verifyScript } from './script.ts';

const style = `
#form{display:grid;gap:.8rem;padding:1rem;background:var(--panel);border:1px dashed var(--muted);border-radius:3px}#form label{display:grid;gap:.2rem;font-size:.9rem}
#key{font:inherit;font-family:var(--mono,monospace);min-height:5rem;color:var(--ink);background:var(--ground);border:1px solid var(--muted);border-radius:3px;padding:.4rem}
#form,#outcome,#rest{min-width:0}.page>main,.page>footer{grid-column:1/-1;max-width:60rem}#form label{min-width:0}#outcome{margin:1.2rem 0}#steps>li{margin:.5rem 0}[hidden]{display:none!important}
`;

/** What only the command can show, a sentence each. */
const onlyTheCommand = [
  'That the verdicts follow from the recorded exchanges, and that these are what was planned: the command judges them again.',
  'That the page and the other renderings say what report.json says: the command makes them again.',
  'That no link, no empty folder and no name that is not UTF-8 lies in the folder: a browser does not show them.',
  'Whether errors of the suite that judged are known by now, and what of the statements changed since.',
];

/** A page that checks a bundle in the browser: digests, signature and scope. It is whole by itself, and sends nothing. */
export function renderVerifyPage(): string {
  const body = html`<a class="skip" href="#outcome">Skip to the outcome</a>
<div class="page"><header class="mast"><p class="over">Conformance reports <span aria-hidden="true">·</span> Model Inference Gateway Interface</p><h1>Check a bundle</h1>
<p>Drop a bundle here: the folder that a certified run wrote, or an archive of it. Digests, signature and scope are checked in this browser; nothing is sent anywhere, and the page may be saved and opened without a network.</p></header>
<main><form id="form" hidden><label for="folder">Folder <input type="file" id="folder" webkitdirectory multiple></label>
<label for="archive">Or an archive: zip, tar, tar.gz <input type="file" id="archive" accept=".zip,.tar,.gz,.tgz"></label>
<label for="key">Public key that must have signed it (KEY.pub.pem), from a source that you trust <textarea id="key" spellcheck="false" autocomplete="off"></textarea></label></form>
<section id="outcome" aria-live="polite" tabindex="-1"><p class="quiet">This page needs scripts and WebCrypto.</p></section>
<section class="part" id="rest"><h2>What only the command can show</h2><ul>${onlyTheCommand.map((line) => html`<li>${line}</li>`)}</ul><p><code>gateway-conformance verify DIR --key KEY.pub.pem</code></p></section></main>
<footer><p>Made by inference-gateway-conformance. It is worth as much as the place that you have it from.</p></footer></div>
`;
  return renderPage({ title: 'Check a conformance bundle', body, extraStyle: style, script: verifyScript });
}

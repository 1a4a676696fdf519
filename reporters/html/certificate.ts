import type { Report } from '../../suites/types/report.ts';
import { coversLines } from '../certificate/covers.ts';
import { type Html, html } from './template.ts';

/** The certificate that lies beside a page. */
export interface CertificateMark {
  /** Of the key that signed it; null where it is unsigned. */
  readonly keyid: string | null;
}

/** What the certificate of this report covers and what not; a page can be changed, so it says how to check that. */
export function certificateView(report: Report, { keyid }: CertificateMark): Html {
  const lines = coversLines(report, keyid ?? 'none: the certificate is unsigned');
  return html`<section class="certificate" aria-label="Certificate"><dl class="facts broad">
${lines.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}
</dl><p class="quiet">The certificate is certificate.json beside this page. The page alone proves nothing: check the folder by the command above.</p></section>`;
}

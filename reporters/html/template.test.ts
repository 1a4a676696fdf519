import { expect, test } from 'vitest';
import { html } from './template.ts';

test('holes are escaped for where they stand', () => {
  const text = `"><b>'&`;
  expect(html`<p title="${text}">${text}</p>`.markup).toBe(
    '<p title="&quot;&gt;&lt;b&gt;&#39;&amp;">"&gt;&lt;b&gt;\'&amp;</p>',
  );
});

test('the second hole of a tag is an attribute too', () => {
  expect(html`<a href="${'"'}" title="${'"'}">${'"'}</a>`.markup).toBe(
    '<a href="&quot;" title="&quot;">"</a>',
  );
});

test('markup passes, lists are joined, and nothing is left of nothing', () => {
  expect(html`${[html`<i>a</i>`, ' & ', 1]}${null}${undefined}${false}`.markup).toBe('<i>a</i> &amp; 1');
});

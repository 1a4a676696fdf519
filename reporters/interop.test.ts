import { expect, test } from 'vitest';
import type { InteropClient } from '../suites/types/interop.ts';
import type { Report } from '../suites/types/report.ts';
import { renderHtml, renderMarkdown, renderSummary } from './run/document.ts';
import { clientName, resultsText } from './run/beside.ts';
import { smallReport } from './small.fixture.ts';
import { validateReport } from './schema/validate.ts';

const worked: InteropClient = {
  client: 'ai with @ai-sdk/openai',
  versions: { ai: '6.0.1', '@ai-sdk/openai': '3.0.2' },
  baseUrl: 'https://gateway.example/v1',
  notes: ['It was told something.'],
  generations: 2,
  results: [
    { protocol: 'chat', asked: 'answer', ok: true },
    { protocol: 'chat', asked: 'invalid-token', ok: true },
    { protocol: 'chat', asked: 'unknown-model', ok: true },
  ],
};
const failed: InteropClient = {
  ...worked,
  client: 'openai',
  versions: { openai: '6.49.0' },
  notes: [],
  results: [
    {
      protocol: 'chat',
      asked: 'stream',
      ok: false,
      error: 'SyntaxError: <img src=x> \u001b[31m | `it` broke',
    },
    { protocol: 'chat', asked: 'invalid-token', ok: false, error: 'no error' },
    { protocol: 'chat', asked: 'unknown-model', ok: true },
  ],
};
const absent: InteropClient = {
  ...worked,
  client: '@anthropic-ai/sdk',
  versions: {},
  notes: [],
  notRun: 'not installed: npm install it',
  results: [],
};
const report: Report = { ...smallReport(), interop: [worked, failed, absent] };

test('errors of an endpoint are one word where all are right, and each by itself where one is not', () => {
  expect(resultsText(worked)).toBe('chat ✓, chat errors ✓');
  expect(resultsText(failed)).toBe('chat stream ✕, chat invalid token ✕, chat unknown model ✓');
  expect(clientName(worked)).toBe('ai 6.0.1 with @ai-sdk/openai 3.0.2');
  expect(clientName(absent)).toBe('@anthropic-ai/sdk');
});

test('a report with clients is valid, and its verdict reads as before', () => {
  expect(validateReport(report)).toEqual([]);
  const head = (text: string): string => text.split('\n').slice(0, 3).join('\n');
  const colour = false;
  expect(head(renderSummary(report, { colour }))).toBe(head(renderSummary(smallReport(), { colour })));
});

test('the terminal names each client, its failures in its own words, and why one was not tried', () => {
  const text = renderSummary(report, { colour: false, width: 200 });
  expect(text).toContain(
    '✓ works with ai 6.0.1 with @ai-sdk/openai 3.0.2 at https://gateway.example/v1: chat ✓, chat errors ✓',
  );
  expect(text).toContain('chat stream (section 4.3): SyntaxError: <img src=x> ‹ESC›[31m');
  expect(text).toMatch(/not tried with @anthropic-ai\/sdk at .*not installed: npm install it/);
  expect(text).not.toContain('\u001b');
});

test('page and Markdown have the clients, harmless, and nothing of them where none was asked for', () => {
  const page = renderHtml(report);
  expect(page).toContain('id="part-interop"');
  expect(page).toContain('href="#part-interop"');
  expect(page).toContain('&lt;img src=x&gt;');
  expect(page).toContain('It was told something.');
  const markdown = renderMarkdown(report);
  expect(markdown).toContain('## Official clients');
  expect(markdown).not.toContain('<img');
  expect(renderHtml(smallReport())).not.toContain('part-interop');
  expect(renderMarkdown(smallReport())).not.toContain('Official clients');
});

import { expect, test } from 'vitest';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { renderSummary } from './document.ts';

const files = { html: 'out/report.html', json: 'out/report.json' };

test('the summary names each failure with a command, what came and what must come, and ends with the path', () => {
  const lines = renderSummary(sampleReport(), { colour: false, width: 100, files }).split('\n');
  expect(lines[1]).toBe('✕ Not conformant  Acme gateway 2.3');
  expect(lines).toEqual(
    expect.arrayContaining([
      '✕ chat.result.0.0 stated, section 2.5',
      '  failure  The value has another type.',
      '  came     "21" (at /usage/total_tokens)',
      '  expected an integer',
    ]),
  );
  expect(lines.join('\n')).toMatch(/\n {2}same for .*images\.result\.2\.0/);
  expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(
    'messages.parameters.3.0: too fast to time: The control failed: three attempts ended with 503.',
  );
  expect(lines.some((line) => line.includes('follows A: A conversational model must not'))).toBe(true);
  expect(lines.at(-1)).toBe('out/report.html');
});

test('a conformant run says so in a few lines', () => {
  const text = renderSummary(conformantReport(), { colour: false, width: 100, files });
  expect(text).toContain('✓ Conformant  Reference gateway');
  expect(text.split('\n').length).toBeLessThan(18);
});

test('a run that judged nothing does not look like a pass', () => {
  const text = renderSummary(unreachableReport(), { colour: false });
  expect(text).toContain('? Inconclusive  Nobody home');
  expect(text).toContain('None of 0 stated and derived requirements could be judged.');
});

test('nothing of a target moves the cursor, colours a word or gives CI a command', () => {
  const text = renderSummary(hostileReport(), { colour: false, width: 60, files });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
  expect(text).not.toMatch(/^\s*(::|##)/m);
});

test('lines keep to the width, commands aside', () => {
  const lines = renderSummary(hostileReport(), { colour: false, width: 80, files }).split('\n');
  const long = lines.filter(
    (line) => line.length > 80 && !line.startsWith('    ') && !line.startsWith('✕ Not'),
  );
  expect(long).toEqual([]);
});

test('colour comes only where it is asked for', () => {
  expect(renderSummary(sampleReport(), { colour: true })).toContain('\u001b[31m');
  expect(renderSummary(sampleReport(), { colour: false })).not.toContain('\u001b');
});

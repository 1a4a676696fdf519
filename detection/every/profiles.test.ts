import { describe, expect, test } from 'vitest';
import { faultById } from '../../fixtures/faults/index.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { isGatingLevel } from '../../spec/vocabulary.ts';
import { type Profile, profiles } from '../../suites/types/profile.ts';
import type { Report } from '../../suites/types/report.ts';
import { blamed, detect, type Subject } from '../detect.ts';

const reference: Subject = { id: 'reference', title: 'the reference gateway', hooks: {} };
const settings = defaultConsole();

const runs = new Map<Profile, Promise<Report>>();
/** A run against the reference gateway in a profile, once for all tests. */
function ofReference(profile: Profile): Promise<Report> {
  const report = runs.get(profile) ?? detect(reference, { profile });
  runs.set(profile, report);
  return report;
}

describe('the reference gateway', () => {
  test.each(profiles)('is conformant in %s, and the report names the profile', async (profile) => {
    const report = await ofReference(profile);
    expect(report.verdict).toBe('conformant');
    expect(report.scope).toMatchObject({ profile, skipCostly: false });
  });

  test('is asked in standard for all that can fail; what is left out says so', async () => {
    const { requirements } = await ofReference('standard');
    const open = requirements.filter(({ verdict }) => verdict === 'untested');
    expect(open.filter(({ level }) => isGatingLevel(level))).toEqual([]);
    expect(new Set(open.map(({ code, reason }) => `${code}: ${reason}`))).toEqual(
      new Set(['not-in-profile: not asked in profile standard']),
    );
  });

  test('is billed for sixty generations in standard, beside the cells that the interface leaves open', async () => {
    const { run, matrix, exchanges } = await ofReference('standard');
    const open = matrix.filter((cell) => cell.expectation === 'unspecified' && cell.observed === 'served');
    // Of the groups of which any suffices, one is not left open.
    const suffice = new Set(open.filter(({ anyGroup }) => anyGroup === 'pass').map(({ family }) => family));
    expect(run.billedGenerations - (open.length - suffice.size)).toBeLessThanOrEqual(60);
    const images = exchanges
      .filter(({ request, response }) => /image/.test(request.body ?? '') && response?.status === 200)
      .map(({ request }) => Number(JSON.parse(request.body ?? '{}').n ?? 1));
    expect(images.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(20);
  });

  test('bills twelve generations in smoke, of the smallest images, in the time of fifteen replies', async () => {
    const initialMs = 300;
    const paced = { ...reference, console: { ...settings, pace: { initialMs, tokenMs: 0 } } };
    const { run, exchanges, verdict } = await detect(paced, { profile: 'smoke' });
    expect(verdict).toBe('conformant');
    expect(run.billedGenerations).toBeLessThanOrEqual(12);
    const bodies = exchanges.flatMap(({ request }) =>
      request.url.includes('/images/') ? [request.body ?? ''] : [],
    );
    expect(bodies.length).toBeGreaterThan(3);
    for (const body of bodies) expect(body).toContain('"size":"256x256"');
    expect(Date.parse(run.finishedAt) - Date.parse(run.startedAt)).toBeLessThan(15 * initialMs);
  });
});

describe('smoke', () => {
  test('of the reference says of all that it leaves open that it was not asked', async () => {
    const { requirements } = await ofReference('smoke');
    const open = requirements.filter(
      ({ verdict, level }) => (verdict === 'untested' || verdict === 'inconclusive') && isGatingLevel(level),
    );
    expect(new Set(open.map(({ code }) => code))).toEqual(new Set(['not-in-profile']));
  });

  const smoke = (subject: Subject) => detect(subject, { profile: 'smoke' });
  const broken = (id: string): Subject => {
    const fault = faultById(id);
    if (fault === undefined) throw new Error(`no fault is called ${id}`);
    return fault;
  };

  test('asks another group where the first is not served', async () => {
    const { general, ...others } = settings.routes;
    const routes = { ...others, general: { ...general, responses: ['third-party-client'] as const } };
    const report = await smoke({ ...reference, console: { ...settings, routes } });
    expect(report.verdict).toBe('conformant');
    expect(blamed(report)).toEqual([]);
  });

  test.each([
    'images.param.size.accepted.not-256x256',
    'chat.param.temperature.optional',
    'cell.multimodal.chat.streamed.refused',
  ])('leaves open what %s keeps it from judging, and blames nothing else for it', async (id) => {
    const report = await smoke(broken(id));
    expect(report.verdict).toBe('inconclusive');
    expect(blamed(report)).toEqual([]);
  });

  test('finds a gateway that asks for no credential', async () => {
    const report = await smoke(broken('chat.auth.missing'));
    expect(report.verdict).toBe('non-conformant');
    expect(blamed(report)).toEqual(['chat.auth.missing']);
  });
});

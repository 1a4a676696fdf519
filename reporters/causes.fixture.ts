import type { ReportCause } from '../suites/types/cause.ts';
import type { Report } from '../suites/types/report.ts';
import { smallReport } from './small.fixture.ts';

/** The small report with what stands behind its failure, what it could not judge, and what it was not told to try. */
export function causedReport(): Report {
  const report = smallReport();
  const [evidence] = report.exchanges.map(({ id }) => [id]);
  const cause = (more: Pick<ReportCause, 'id' | 'kind' | 'summary' | 'requirements'>): ReportCause => ({
    evidence: evidence ?? [],
    exchanges: evidence ?? [],
    ...more,
  });
  const causes: readonly ReportCause[] = [
    {
      ...cause({
        id: 'token-not-accepted:tokens.default',
        kind: 'token-not-accepted',
        summary: 'tokens.default is refused <wherever> it is used.',
        requirements: ['chat.param.temperature.range'],
      }),
      configKeys: ['tokens.default'],
    },
    {
      ...cause({
        id: 'result-field-broken:chat.result.usage.total-tokens',
        kind: 'result-field-broken',
        summary: 'Result of POST /v1/chat/completions: a value has another type.',
        requirements: ['chat.result.usage.total-tokens'],
      }),
      reproduce: "curl -X POST 'https://gateway.example.com/v1/chat/completions'",
    },
    cause({
      id: 'too-fast',
      kind: 'too-fast',
      summary: 'The text came too fast.',
      requirements: ['chat.stream.incremental'],
    }),
    cause({
      id: 'not-declared',
      kind: 'not-declared',
      summary: 'Not declared in the config: no rate-limited token is declared.',
      requirements: ['errors.rate-limit.distinct'],
    }),
  ];
  const causeOf = (id: string) => causes.find(({ requirements }) => requirements.includes(id))?.id;
  return {
    ...report,
    causes,
    requirements: report.requirements.map((row) => {
      const own = causeOf(row.id);
      return own === undefined ? row : { ...row, cause: own };
    }),
  };
}

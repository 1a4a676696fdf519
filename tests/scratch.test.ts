import { test } from 'vitest';
import { everything } from '../suites/plan/plan.ts';
import { conduct, planRun } from '../suites/run/conduct.ts';
import { judgeRun } from '../suites/judge/report.ts';
import { createGateway } from '../fixtures/gateway/gateway.ts';
import { targetFor } from '../fixtures/gateway/describe.ts';
import { defaultConsole } from '../fixtures/gateway/console.ts';
for (const i of [1,2])
test('x'+i, async () => {
  const g = await createGateway().listen();
  try {
    const target = targetFor(defaultConsole(), g.url);
    let t = performance.now();
    const plan = planRun(target, {seed: 7, selection: everything});
    console.log('plan', performance.now()-t); t = performance.now();
    const ran = await conduct(target, plan, {seed:7, selection: everything, concurrency: 8, timeoutMs: 10000});
    console.log('conduct', performance.now()-t); t = performance.now();
    const report = judgeRun(target, plan, ran.evidence, {runId:'x', startedAt: ran.startedAt, finishedAt: ran.finishedAt, partial: ran.partial, selection: everything});
    console.log('judge', performance.now()-t);
    console.log(report.verdict, report.reasons, report.summary, report.run, report.conflicts[0]?.follows);
    for (const c of report.cases) if (['fail','inconclusive'].includes(c.verdict)) console.log(c.id, c.findings.map(f=>`${f.requirement} ${f.verdict} ${f.message} | ${f.actual}`.slice(0,300)));
    if(i===1)console.log(report.requirements.filter(r=>r.verdict==='untested').map(r=>r.id+': '+r.reason));
    if(i===1)console.log(report.observations.map(o=>o.subject+' => '+o.value).join('\n'));
  } finally { await g.close(); }
}, 60000);

import { test } from 'vitest';
import { detect, blamed } from '../detection/detect.ts';
import { faults } from '../fixtures/faults/index.ts';
test('one', async () => {
  const f = faults.find(f=>f.id===process.env.PICK)!;
  const r = await detect(f);
  console.log(blamed(r));
  for (const e of r.exchanges) if (e.id.includes(process.env.EX ?? 'zzz')) console.log(e.id, e.request.body, e.response?.status, e.response?.body.text.slice(0,300), JSON.stringify(e.attempts));
  for (const c of r.cases) if (c.requirements.includes(process.env.REQ??'') ) console.log(c.id, c.verdict, c.findings, c.exchanges);
});

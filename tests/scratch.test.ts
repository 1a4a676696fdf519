import { test } from 'vitest';
import { detect, blamed } from '../detection/detect.ts';
import { faults } from '../fixtures/faults/index.ts';
import { variants } from '../fixtures/variants/index.ts';
import { writeFileSync } from 'node:fs';
test('all', async () => {
  const out: string[] = [];
  const t0 = performance.now();
  const pick = process.env.PICK;
  for (const v of variants) {
    if (pick && !v.id.includes(pick)) continue;
    const t = performance.now();
    const r = await detect(v);
    const open = r.requirements.filter(q=>q.verdict==='inconclusive'&&!q.soft);
    if (r.verdict !== 'conformant' || performance.now()-t > 3000 || pick) out.push(`VARIANT ${v.id} ${r.verdict} ${Math.round(performance.now()-t)}ms fail=${blamed(r).map(id=>id+'::'+r.requirements.find(q=>q.id===id)?.reason)} open=${open.map(o=>o.id+'::'+o.reason).join(' ; ')}`.slice(0,1500));
  }
  out.push('variants '+variants.length+' '+Math.round(performance.now()-t0));
  const t1 = performance.now();
  for (const f of faults) {
    if (pick && !f.id.includes(pick)) continue;
    const t = performance.now();
    const r = await detect(f);
    const b = blamed(r);
    const missed = f.breaks.filter(x=>!b.includes(x)); const extra = b.filter(x=>!f.breaks.includes(x));
    if (missed.length||extra.length|| performance.now()-t > 3000 || pick) out.push(`FAULT ${f.id} ${r.verdict} ${Math.round(performance.now()-t)}ms missed=${missed} extra=${extra.map(id=>id+'::'+r.requirements.find(q=>q.id===id)?.reason)}`.slice(0,1000));
  }
  out.push('faults '+faults.length+' '+Math.round(performance.now()-t1));
  writeFileSync('/tmp/detect.txt', out.join('\n'));
}, 3000000);

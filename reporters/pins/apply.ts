import type { Pin, Pins } from '../../fixtures/pins/pins.ts';
import type { Report, ReportPins } from '../../suites/types/report.ts';
import { byId } from '../report-queries.ts';
import { type Behaviour, behavioursOf, pinKey } from './behaviours.ts';

type Unobserved = ReportPins['unobserved'][number];

/** Whether anything was sent for it: else the run was not asked to look. */
function whyUnobserved(pin: Pin, found: Behaviour | undefined, report: Report): Unobserved['why'] {
  if (found?.cell?.observed === 'not sent') return 'not-asked';
  const exchanges = found?.exchanges ?? byId(report.cases).get(pin.id)?.exchanges ?? [];
  return exchanges.length === 0 ? 'not-asked' : 'not-shown';
}

const named = ({ kind, id, line, value, run, exchange }: Pin, found: Behaviour | undefined) => ({
  kind,
  id,
  line,
  subject: found?.subject ?? id,
  pinned: value,
  ...(run === undefined ? {} : { run }),
  ...(exchange === undefined ? {} : { exchange }),
  exchanges: found?.exchanges ?? [],
});

/** Compares a report with pins. Pure; no verdict depends on it. */
export function applyPins(report: Report, { file, pins }: Pins): ReportPins {
  const behaviours = new Map(behavioursOf(report).map((one) => [pinKey(one), one]));
  const changed: ReportPins['changed'][number][] = [];
  const unobserved: Unobserved[] = [];
  for (const pin of pins) {
    const found = behaviours.get(pinKey(pin));
    const observed = found?.value ?? null;
    if (observed === null) unobserved.push({ ...named(pin, found), why: whyUnobserved(pin, found, report) });
    else if (observed !== pin.value) changed.push({ ...named(pin, found), observed });
  }
  return { file, kept: pins.length - changed.length - unobserved.length, changed, unobserved };
}

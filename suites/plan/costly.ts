import { reads } from '../checks/registry.ts';
import type { Case } from '../types/case.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { costlyValues } from '../types/profile.ts';
import { valueAt } from '../reading/json.ts';

interface Built {
  readonly cases: readonly Case[];
  readonly requests: ReadonlyMap<string, PlannedRequest>;
}

/** Cases and requests without those that cost most: a case that is about one of them is left untested. */
export function withoutCostly({ cases, requests }: Built): Built {
  const left = new Map([...requests].filter(([, request]) => costlyValueOf(request) === undefined));
  return {
    requests: left,
    cases: cases.map((entry): Case => {
      const [about = ''] = reads(entry.check);
      const request = requests.get(about);
      const value = request && costlyValueOf(request);
      return value === undefined ? entry : { ...entry, check: { kind: 'too-costly', value } };
    }),
  };
}

/** The costly value that a conformant target would bill for, in words; undefined where there is none. */
function costlyValueOf({ protocol, expect, body }: PlannedRequest): string | undefined {
  if (protocol !== 'images' || expect === 'refusal') return undefined;
  const found = costlyValues.find(({ parameter, value }) => valueAt(body?.json, `/${parameter}`) === value);
  return found && `${found.parameter} = ${found.value}`;
}

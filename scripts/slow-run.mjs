// How long a run takes against a gateway that needs a while for every reply, and the least that it could take.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies, isLogin } from '../dist/tools/scripts/internals.js';

/** Milliseconds before the gateway's reply to any request. */
export const replyMs = 800;
/** What each concurrency is to keep: wall time as a multiple of the bound. */
export const slowGoals = new Map([
  [8, 1.1],
  [32, 1.5],
]);

/** Most logins in a row that are refused (principle 14). */
const loginsInRow = 4;

/** Milliseconds that the target was at each planned request, all attempts together, and at all that was sent. */
function serviceTimes(folder) {
  const times = new Map();
  let all = 0;
  for (const line of readFileSync(join(folder, 'evidence.jsonl'), 'utf8').split('\n')) {
    const entry = line === '' ? {} : JSON.parse(line);
    if (entry.attempts === undefined) continue;
    const ms = entry.attempts.reduce((sum, attempt) => sum + attempt.ms, 0);
    times.set(entry.id, ms);
    all += ms;
  }
  return { times, all };
}

/** The longest chain of requests that wait for one another: for an id or a nonce of a reply, or for what a reply shows. */
function longestChain({ requests }, times) {
  const planned = new Map(requests.map((request) => [request.id, request]));
  const ends = new Map();
  const endOf = (id) => {
    if (!ends.has(id)) {
      const before = planned.has(id) ? dependencies(planned.get(id)).map(endOf) : [];
      ends.set(id, Math.max(0, ...before) + (times.get(id) ?? 0));
    }
    return ends.get(id);
  };
  return Math.max(...requests.map(({ id }) => endOf(id)));
}

/**
 * The least milliseconds that the requests of a run can take, so many at once. `gentle` is the least where refused
 * logins keep to principle 14: four at once, and behind each four a valid request.
 */
export function bounds(plan, folder, concurrency) {
  const { times, all } = serviceTimes(folder);
  const logins = plan.requests.filter(isLogin).map(({ id }) => times.get(id) ?? 0);
  const bound = Math.max(longestChain(plan, times), all / concurrency);
  const lane = (2 * logins.reduce((sum, ms) => sum + ms, 0)) / loginsInRow;
  return { bound, gentle: Math.max(bound, lane) };
}

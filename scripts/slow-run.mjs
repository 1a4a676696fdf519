// How long a run takes against a gateway that needs a while for every reply, and the least that it could take.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies, isLogin } from '../dist/tools/scripts/internals.js';

const isAny = () => true;
const isAnswer = ({ status }) => status < 300;
/**
 * What is measured: which replies the gateway is slow with, by how many milliseconds, how many requests go at once, and
 * what is to be kept: wall time as a multiple of the bound.
 */
export const slowRuns = [
  { what: 'all 0.8 s', isSlow: isAny, ms: 800, concurrency: 8, goal: 1.12 },
  { what: 'all 0.8 s', isSlow: isAny, ms: 800, concurrency: 32, goal: 1.25 },
  { what: 'answers 3 s', isSlow: isAnswer, ms: 3000, concurrency: 8, goal: 1.12 },
];

/** Most logins in a row that are refused (principle 14). */
const loginsInRow = 4;

/** Milliseconds that the target was at each planned request, all attempts together, at all that was sent, and at answers. */
function serviceTimes(folder) {
  const times = new Map();
  const answers = new Map();
  let all = 0;
  for (const line of readFileSync(join(folder, 'evidence.jsonl'), 'utf8').split('\n')) {
    const entry = line === '' ? {} : JSON.parse(line);
    if (entry.attempts === undefined) continue;
    const ms = entry.attempts.reduce((sum, attempt) => sum + attempt.ms, 0);
    times.set(entry.id, ms);
    if (isAnswer(entry.attempts.at(-1))) answers.set(entry.id, ms);
    all += ms;
  }
  return { times, all, answers };
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
 * The least that refused logins take where they keep to principle 14: behind what a run begins with four go at once, and
 * behind each four a valid request, of all the quickest; behind the last the controls afterwards.
 */
function loginLane({ requests }, { times, answers }) {
  const logins = requests.filter((request) => isLogin(request) && times.has(request.id));
  const longestIn = (stage) =>
    Math.max(0, ...requests.filter((request) => request.stage === stage).map(({ id }) => times.get(id) ?? 0));
  const fews = Math.ceil(logins.length / loginsInRow);
  const between = [...answers.values()].toSorted((one, other) => one - other).slice(0, fews - 1);
  const sum = (numbers) => numbers.reduce((total, ms) => total + ms, 0);
  const refused = sum(logins.map(({ id }) => times.get(id))) / loginsInRow;
  return longestIn('discovery') + refused + sum(between) + longestIn('after');
}

/**
 * The least milliseconds that the requests of a run can take, so many at once: their longest chain, the sum of service
 * times through the concurrency, or the lane of logins, whichever is longest.
 */
export function boundOf(plan, folder, concurrency) {
  const service = serviceTimes(folder);
  return Math.max(longestChain(plan, service.times), service.all / concurrency, loginLane(plan, service));
}

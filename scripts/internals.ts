/** What the scripts of a checkout need of the sources; none of it is part of the package. */
export { guidePath, interfaceGuide } from '../reporters/interface-guide.ts';
export { run } from '../cli/api/index.ts';
export { faultById } from '../fixtures/faults/index.ts';
export { defaultConsole } from '../fixtures/gateway/console.ts';
export { configYaml, targetFor } from '../fixtures/gateway/describe.ts';
export { createGateway } from '../fixtures/gateway/gateway.ts';
export { jsonReply } from '../fixtures/gateway/refusal.ts';
export { lockingCaller } from '../fixtures/variants/locks.ts';
export { dependencies } from '../suites/plan/dependencies.ts';
export { everything } from '../suites/plan/plan.ts';
export { planRun } from '../suites/plan/plan.ts';
export { isLogin } from '../suites/plan/lanes.ts';

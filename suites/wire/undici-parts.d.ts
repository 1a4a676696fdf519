/** The agent without the rest of undici: `fetch`, caches and mocks cost 80 ms and 9 MB that no request needs. */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}

// Serves aimock on PORT, without fixtures: every request goes on to UPSTREAM_URL, until a signal ends it.
import { LLMock } from '@copilotkit/aimock';

const port = Number(process.env.PORT);
const upstream = process.env.UPSTREAM_URL;
if (!port || !upstream) throw new Error('PORT and UPSTREAM_URL are needed');

const aimock = new LLMock({
  port,
  host: '127.0.0.1',
  logLevel: 'silent',
  record: { providers: { openai: upstream, anthropic: upstream }, proxyOnly: true },
});
await aimock.start();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));

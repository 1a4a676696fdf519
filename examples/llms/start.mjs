// Serves @musistudio/llms on PORT, in front of UPSTREAM_URL, until a signal ends it.
import { createRequire } from 'node:module';

// The ESM build of 1.0.53 does not load ("Dynamic require … is not supported"); the CommonJS one does.
const { default: Server } = createRequire(import.meta.url)('@musistudio/llms');

const port = process.env.PORT;
const upstream = process.env.UPSTREAM_URL;
if (!port || !upstream) throw new Error('PORT and UPSTREAM_URL are needed');

const server = new Server({
  logger: false,
  useJsonFile: false,
  useEnvFile: false,
  initialConfig: {
    HOST: '127.0.0.1',
    PORT: port,
    LOG: false,
    // A provider has one address and one key. Models are called by "provider,model".
    providers: [
      {
        name: 'chat',
        api_base_url: `${upstream}/v1/chat/completions`,
        api_key: process.env.GATEWAY_TOKEN_DEFAULT,
        models: ['m-large', 'm-image'],
      },
      {
        name: 'responses',
        api_base_url: `${upstream}/v1/responses`,
        api_key: process.env.GATEWAY_TOKEN_DEFAULT,
        models: ['g-large'],
        transformer: { use: ['openai-responses'] },
      },
      {
        name: 'messages',
        api_base_url: `${upstream}/v1/messages`,
        api_key: process.env.GATEWAY_TOKEN_THIRD_PARTY_CLIENT,
        models: ['c-large'],
        transformer: { use: ['Anthropic'] },
      },
    ],
  },
});
await server.start();

// Serves Portkey's gateway on PORT, in front of UPSTREAM_URL, until a signal ends it.
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';

const port = Number(process.env.PORT);
const gatewayPort = Number(process.env.GATEWAY_PORT);
const upstream = process.env.UPSTREAM_URL;
if (!port || !gatewayPort || !upstream) throw new Error('PORT, GATEWAY_PORT and UPSTREAM_URL are needed');

const main = fileURLToPath(import.meta.resolve('@portkey-ai/gateway/build/start-server.js'));
const gateway = spawn(process.execPath, [main, '--headless', `--port=${gatewayPort}`], { stdio: 'ignore' });
gateway.once('exit', (code) => process.exit(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => gateway.kill());
process.once('exit', () => gateway.kill());

/** Portkey takes the provider from headers of each request; an ingress adds them for callers that don't know it. */
const routing = (path) => ({
  'x-portkey-provider': path.startsWith('/v1/messages') ? 'anthropic' : 'openai',
  'x-portkey-custom-host': `${upstream}/v1`,
});

/** What each connection says for itself (RFC 9110, section 7.6.1) is not passed on: it speaks of another one. */
const passed = ({ connection, 'keep-alive': _, ...headers }) => headers;

createServer((incoming, reply) => {
  const { method, url = '/', headers } = incoming;
  const onward = request(
    {
      host: '127.0.0.1',
      port: gatewayPort,
      method,
      path: url,
      headers: { ...passed(headers), ...routing(url) },
    },
    (back) => {
      reply.writeHead(back.statusCode ?? 502, passed(back.headers));
      back.pipe(reply);
      back.once('error', () => reply.destroy());
    },
  );
  onward.once('error', () => reply.destroy());
  reply.once('close', () => onward.destroy());
  incoming.pipe(onward);
}).listen(port, '127.0.0.1');

// A gateway that answers every request at once with a short chat stream; one that says "hold" gets an event every
// 100 ms until its client leaves. Prints its address.
import { createServer } from 'node:http';

const event = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'model',
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`;
const text = 'This is the text of a short reply.'.split(/(?<= )/);
const whole = [...text.map((content) => event({ content })), event({}, 'stop'), 'data: [DONE]\n\n'];

const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (!body.includes('"hold"')) {
    for (const each of whole) response.write(each);
    response.end();
    return;
  }
  const timer = setInterval(() => response.write(event({ content: 'word ' })), 100);
  response.on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

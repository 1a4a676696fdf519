// Passes bytes on to a port, and back, without a look at them. Prints its address.
import { connect, createServer } from 'node:net';

const port = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (client) => {
  const gateway = connect({ port, host: '127.0.0.1', noDelay: true });
  client.pipe(gateway).pipe(client);
  client.on('error', () => gateway.destroy());
  gateway.on('error', () => client.destroy());
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

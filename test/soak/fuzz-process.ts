import { parseArgs } from 'node:util';
import { formatRequest, fuzz } from './fuzz/fuzz.ts';
import { Served } from './served.ts';

/**
 * Sends a real server requests generated from the OpenAPI documents, the scenario schema and the pages. Prints the
 * number of responses by status. After a failure it prints the shrunk requests with the command that reproduces
 * them, and the exit code is 1.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const requests = Number(values.requests);
const server = await Served.start({});
const seen = await fuzz(server, {
  requests,
  seed: Number(values.seed),
  path: values.path,
  heard: (sent) => {
    if (sent % 10_000 === 0) say(`${sent} of ${requests} requests, ${server.residentMib().toFixed(0)} MiB`);
  },
});
const { sent, byStatus, failure } = seen;
if (failure !== null) {
  for (const request of failure.requests) say(formatRequest(request));
  say(failure.message);
  say(`Repeat it: node test/soak/fuzz-process.ts --requests ${requests} --seed ${values.seed} --path ${failure.path}`);
  process.exitCode = 1;
} else {
  const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status} ${count} times`);
  const memory = `${server.residentMib().toFixed(0)} MiB at the end`;
  say(`${sent} requests from seed ${values.seed}, none that broke anything, ${memory}: ${statuses.join(', ')}`);
}
if (server.runs) await server.stop();

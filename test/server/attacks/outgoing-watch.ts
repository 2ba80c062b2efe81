import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Module that is preloaded into a server. It reports every connection that the server opens, every name that it
 * looks up, and every program that it starts, on standard error.
 */
const standardError = 2;

function tell(what: string, ...values: readonly unknown[]): void {
  writeSync(standardError, `OUTGOING ${what} ${JSON.stringify(values.map(String))}\n`);
}

/** Local addresses, which the server looks up in order to listen. */
const own: ReadonlySet<unknown> = new Set(['127.0.0.1', 'localhost', '::1']);

type Callable = (...given: never[]) => unknown;

function watch(
  holder: object,
  name: string,
  what: string,
  isOwn: (given: readonly unknown[]) => boolean = () => false,
): void {
  const original = Reflect.get(holder, name) as Callable;
  Reflect.set(holder, name, function watched(this: unknown, ...given: never[]): unknown {
    if (!isOwn(given)) tell(what, ...given);
    return Reflect.apply(original, this, given);
  });
}

watch(net.Socket.prototype, 'connect', 'connection');
watch(dgram.Socket.prototype, 'send', 'datagram');
watch(dgram.Socket.prototype, 'connect', 'datagram');
for (const name of Object.keys(dns)) {
  if (/^(lookup|resolve|reverse)/.test(name)) watch(dns, name, 'name', ([host]) => own.has(host));
}
for (const name of Object.keys(dns.promises)) {
  if (/^(lookup|resolve|reverse)/.test(name)) watch(dns.promises, name, 'name', ([host]) => own.has(host));
}
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
  watch(childProcess, name, 'program');
}
syncBuiltinESMExports();

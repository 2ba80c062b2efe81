import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';
import { playAll } from './soaking.ts';
import type { Step } from './steps.ts';

/**
 * Runs simulations from the command line. Without a finding it prints a summary and the exit code is 0. Otherwise it
 * prints the finding with the command that reproduces it, saves the shrunk steps under `seeds/`, and the exit code
 * is 1. `--steps-of FILE` runs saved steps.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'disk' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000' },
    canary: { type: 'string' },
    'steps-of': { type: 'string' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const store = values.store === 'sqlite' ? 'sqlite' : 'disk';
const kept = values['steps-of'];
process.exitCode = kept === undefined ? await play() : await playKept(kept);

async function play(): Promise<number> {
  const [seed, seeds, steps] = [Number(values.seed), Number(values.seeds), Number(values.steps)];
  const planted = values.canary === undefined ? {} : { canary: values.canary };
  const { failure, ...sums } = await playAll({ store, seed, seeds, steps, ...planted }, (done) => {
    if ((done - seed + 1) % 100 === 0) say(`${done - seed + 1} of ${seeds} seeds`);
  });
  if (failure === null) {
    const { answers, refusals, processes, entries } = sums;
    const seen = `${answers} answers, ${refusals} refusals, ${entries} entries, ${processes} processes`;
    say(`${sums.steps} steps on ${store} from seed ${seed}: ${seen}; nothing found`);
    return 0;
  }
  const folder = join(import.meta.dirname, 'seeds');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${store}-${seed}-${failure.claim.replaceAll(/\W+/g, '-')}.json`);
  const lines = failure.steps.map((step) => `    ${JSON.stringify(step)}`).join(',\n');
  const { claim, message, command } = failure;
  say(`Broken: ${claim}\n${message}\nFind it again: ${command}`);
  if (values.canary !== undefined) return 1;
  writeFileSync(
    file,
    `{\n  "claim": ${JSON.stringify(claim)},\n  "store": "${store}",\n  "steps": [\n${lines}\n  ]\n}\n`,
  );
  say(`${failure.steps.length} steps show it: node test/simulation/simulation-process.ts --steps-of ${file}`);
  return 1;
}

async function playKept(file: string): Promise<number> {
  const { store: on, steps } = JSON.parse(readFileSync(file, 'utf8')) as { store: 'disk' | 'sqlite'; steps: Step[] };
  const { finding } = await simulate(steps, on);
  say(finding === null ? `${steps.length} steps: nothing found` : `Broken: ${finding.claim}\n${finding.message}`);
  return finding === null ? 0 : 1;
}

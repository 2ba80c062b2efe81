import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RandomSource, randomSource } from '../../src/core/random.ts';
import { runHere } from '../cli/command-context.ts';
import { bent } from './fuzz/schema-values.ts';

/**
 * Generates exports, corrupts them, and imports them. Each import has to succeed or be rejected, with exit code 0 or
 * 2. Prints the results. If an import crashes, prints the first one with the command that reproduces it, and the
 * exit code is 1.
 */
const { values } = parseArgs({
  options: { files: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const files = Number(values.files);
const forms = ['ndjson', 'json', 'csv'] as const;
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-fuzz-imports-'));
const ends = new Map<number, number>();

try {
  for (const form of forms) {
    const made = await runHere(['import', '--synthesize', '30', '--format', form, '--out', join(folder, form)]);
    if (made.code !== 0) throw new Error(made.stderr);
  }
  for (let seed = Number(values.seed); seed < Number(values.seed) + files; seed += 1) {
    const fault = await importBent(seed);
    if (fault !== null) {
      say(fault);
      say(`Repeat it: node test/soak/fuzz-imports-process.ts --files 1 --seed ${seed}`);
      process.exitCode = 1;
      break;
    }
    if (seed % 50 === 0) say(`${seed - Number(values.seed)} of ${files} files`);
  }
  if (process.exitCode === undefined)
    say(`${files} bent exports from seed ${values.seed}: ${ends.get(0) ?? 0} read, ${ends.get(2) ?? 0} refused`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Imports an export with one corrupted file. Returns the problem, or `null` if there is none. */
async function importBent(seed: number): Promise<string | null> {
  const random = randomSource(seed);
  const form = forms[Math.floor(random() * forms.length)] ?? 'ndjson';
  const from = join(folder, form);
  const into = join(folder, `bent-${seed}`);
  mkdirSync(into);
  const names = readdirSync(from);
  const chosen = names[Math.floor(random() * names.length)];
  for (const name of names) {
    const bytes = readFileSync(join(from, name));
    writeFileSync(join(into, name), name === chosen ? bentFile(bytes, random) : bytes);
  }
  const named = (beginning: string): string =>
    join(into, names.find((name) => name.startsWith(beginning)) ?? beginning);
  const argv = ['import', named('sign'), '--registrations', named('reg'), '--policy', named('policy'), '--json'];
  const { code, stderr } = await runHere([...argv, '--out', join(into, 'out')]);
  ends.set(code, (ends.get(code) ?? 0) + 1);
  const ending = `${chosen} of ${form}: exit code ${code}, ${stderr.slice(0, 600)}`;
  if (code === 0 || code === 2) rmSync(into, { recursive: true, force: true });
  return code === 0 || code === 2 ? null : ending;
}

/** Corrupts one row or value of a JSON file, or some bytes of any other file. */
function bentFile(bytes: Buffer, random: RandomSource): Uint8Array {
  const lines = bytes.toString('utf8').split('\n');
  const at = Math.floor(random() * lines.length);
  try {
    if (random() < 0.7) {
      lines[at] = JSON.stringify(bent(JSON.parse(lines[at] ?? ''), Math.floor(random() * 2 ** 31)));
      return Buffer.from(lines.join('\n'));
    }
  } catch {
    // Bytes are corrupted if the line is not valid JSON by itself.
  }
  const changed = Buffer.from(bytes);
  const first = Math.floor(random() * changed.length);
  if (random() < 0.3) return changed.subarray(0, first);
  for (let index = 0; index < 3; index += 1)
    changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
  return changed;
}

/**
 * `npm run mutation -- src/scenario --sample 80 --seed 1`: creates mutants of a source module one at a time and
 * lists those that no test of the module kills. Without `--sample` it runs all mutants. A file or folder inside a
 * module selects a part. `--write` stores the scores in docs/mutation-testing.md. The exit code is 1 if a score is
 * below its minimum.
 */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ModuleUnderTest, modulesUnderTest } from './mutation/modules-under-test.ts';
import { listMutants } from './mutation/mutant-list.ts';
import { sampleMutants } from './mutation/mutants.ts';
import { runMutants } from './mutation/run-mutants.ts';
import { type ModuleScore, scoreModule, scoreText, writeScores } from './mutation/score.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const paths = positionals.map((path) => path.replace(/\/$/, ''));
const sample = values.sample === undefined ? null : positiveInteger('--sample', values.sample);
const seed = positiveInteger('--seed', values.seed ?? '1');
const known = modulesUnderTest.map(({ path }) => path);
if (paths.length === 0) refuse(`Specify a module or a part of one: ${known.join(', ')}.`);
if (values.write && paths.some((path) => !known.includes(path))) refuse('--write supports only whole modules.');

const scores: ModuleScore[] = [];
for (const path of paths) scores.push(await testPart(path));
if (values.write) writeScores(root, scores, known, new Date().toISOString().slice(0, 10));
console.log(`\n${scores.map((score) => scoreText(score)).join('\n\n')}`);
process.exitCode = scores.every(({ score, path }) => score >= moduleWith(path).scoreMin) ? 0 : 1;

async function testPart(path: string): Promise<ModuleScore> {
  const module = moduleWith(path);
  const isFile = statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;
  const files = globSync(isFile ? path : `${path}/**/*.ts`, { cwd: root, exclude: module.omitted }).sort();
  if (files.length === 0) refuse(`${path} contains no source files.`);
  const mutants = await listMutants(root, files);
  const chosen = sample === null ? mutants : sampleMutants(mutants, sample, seed);
  const outcomes = await runMutants(root, module, chosen);
  return scoreModule(path, mutants.length, sample === null ? null : seed, outcomes);
}

function moduleWith(path: string): ModuleUnderTest {
  const found = modulesUnderTest.find((module) => path === module.path || path.startsWith(`${module.path}/`));
  return found ?? refuse(`${path} is not part of a module under mutation testing: ${known.join(', ')}.`);
}

function positiveInteger(name: string, text: string): number {
  return /^[1-9]\d{0,8}$/.test(text)
    ? Number(text)
    : refuse(`${name} must be a whole number of at least 1, not ${text}.`);
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

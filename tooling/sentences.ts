/**
 * `npm run sentences -- --seed 7`: prints a sample of sentences with their locations, so an editor can count those
 * to rewrite. The sample contains 20 sentences each from doc comments, help texts and the interface, 15 each from
 * docs and test titles, and 10 from the changelog. The same sources and random seed give the same sample. `--count`
 * changes the total of 100, and paths after `--` limit the files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fnv1a32, randomSource } from '../src/core/random.ts';
import { listTexts, type TextKind, type TextPart } from './language/texts.ts';

/** Number of sentences from each kind of text in a sample of 100. */
const shares: Readonly<Partial<Record<TextKind, number>>> = {
  'doc comment': 20,
  help: 20,
  interface: 20,
  docs: 15,
  'test title': 15,
  changelog: 10,
};

/** Minimum number of words, because shorter texts are labels or headings that cannot be evaluated alone. */
const wordsMin = 4;

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } },
  allowPositionals: true,
});
const [seed, count] = [values.seed, values.count].map((text) => {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`"${text}" is not a whole number.`);
  return Number(text);
}) as [number, number];

const top = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', '-z'], { cwd: top, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && !path.endsWith('/texts/arabic.ts') && existsSync(join(top, path)))
  .filter((path) => positionals.length === 0 || positionals.some((under) => path.startsWith(under)));
const sentences = files
  .flatMap((path) => listTexts(path, readFileSync(join(top, path), 'utf8')))
  .flatMap(splitIntoSentences)
  .filter(({ text }) => text.split(' ').length >= wordsMin);

let printed = 0;
for (const [kind, share] of Object.entries(shares)) {
  const drawn = draw(
    sentences.filter((sentence) => sentence.kind === kind),
    Math.round((share * count) / 100),
    kind,
  );
  for (const { path, line, text } of drawn) {
    printed += 1;
    console.log(`${String(printed).padStart(3)}  ${kind}  ${path}:${line}\n     ${text}`);
  }
}
console.log(`\n${printed} of ${sentences.length} sentences, random seed ${seed}`);

function splitIntoSentences(part: TextPart): readonly TextPart[] {
  return part.text
    .replaceAll(/([.!?:]) +([A-Z"“…])/g, '$1\n$2')
    .split('\n')
    .map((text) => ({ ...part, text: text.trim() }))
    .filter(({ text }) => text !== '');
}

/** Draws items of a list without repetition and keeps their order. */
function draw(list: readonly TextPart[], wanted: number, kind: string): readonly TextPart[] {
  const random = randomSource(fnv1a32(`${seed} ${kind}`));
  const keyed = list.map((part, index) => ({ part, index, key: random() }));
  const drawn = keyed.sort((one, other) => one.key - other.key).slice(0, wanted);
  return drawn.sort((one, other) => one.index - other.index).map(({ part }) => part);
}

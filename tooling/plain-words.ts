/**
 * `npm run plain-words` counts the phrases that the glossary refuses and lists where they are left; words after `--` choose phrases.
 * `--write` lowers the kept counts. Exit code 1 when a count has grown.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countsFile, countsLeft, findPhrase, refused, textsOf } from './language/plain-words.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const options = process.argv.slice(2);
const chosen = options.filter((option) => option !== '--write');
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: top,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(top, path)));
const texts = textsOf([...new Set(files)].map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') })));
const before = countsLeft();
const counts: Record<string, number> = {};

for (const phrase of refused) {
  const found = findPhrase(phrase, texts);
  if (found.length > 0) counts[phrase.phrase] = found.length;
  for (const { path, line, text } of chosen.includes(phrase.phrase) ? found : [])
    console.log(`${path}:${line} ${text}`);
}
const grown = Object.entries(counts).filter(([phrase, count]) => count > (before[phrase] ?? 0));
for (const [phrase, count] of grown) console.log(`"${phrase}": ${count}, ${before[phrase] ?? 0} before`);
console.log(
  `${Object.values(counts).reduce((sum, count) => sum + count, 0)} uses of ${refused.length} refused phrases are left`,
);
if (options.includes('--write') && grown.length === 0) {
  writeFileSync(countsFile, `${JSON.stringify(counts, null, 2)}\n`);
}
process.exitCode = grown.length > 0 ? 1 : 0;

/**
 * `npm run plain-words`: lists the occurrences of phrases that the glossary rejects, with their replacements. The
 * exit code is 1 if there are any.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectTexts, findPhrase, refused } from './language/plain-words.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: top,
  encoding: 'utf8',
});
const paths = new Set(listed.split('\0').filter((path) => path !== '' && existsSync(join(top, path))));
const texts = collectTexts([...paths].map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') })));

let count = 0;
for (const phrase of refused) {
  for (const { path, line, text } of findPhrase(phrase, texts)) {
    count += 1;
    console.log(`${path}:${line} "${phrase.phrase}", write "${phrase.use}": ${text}`);
  }
}
console.log(`${count} uses of ${refused.length} forbidden phrases in ${texts.length} texts`);
process.exitCode = count > 0 ? 1 : 0;

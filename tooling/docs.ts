/**
 * `npm run docs`: writes the generated pages. With `--check`, it writes nothing and fails with exit code 1 if a
 * page is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documents, type GeneratedDocument } from './documents.ts';

const stale = documents.filter((document) => currentText(document) !== document.render());
const isCheck = process.argv.includes('--check');

for (const document of stale) {
  if (isCheck) console.log(`${document.path} is out of date: run \`npm run docs\`.`);
  else writeFileSync(getPath(document), document.render());
}
console.log(`${documents.length} documents, ${stale.length} ${isCheck ? 'out of date' : 'written'}`);
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;

function currentText(document: GeneratedDocument): string | null {
  const place = getPath(document);
  return existsSync(place) ? readFileSync(place, 'utf8') : null;
}

function getPath({ path }: GeneratedDocument): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

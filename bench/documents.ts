import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { imageSizes } from '../src/contract/image-sizes.ts';
import { DocumentFileStore } from '../src/documents/document-file-store.ts';
import { plainPdf } from '../src/sandbox/documents/plain-pdf.ts';
import { plainScript } from './install-peers.ts';
import { load } from './load.ts';
import {
  atLeast,
  type BenchRow,
  inTemporaryFolder,
  mainFile,
  median,
  pairedAtLeast,
  type StartedServer,
  startServer,
  stated,
  withinLimit,
  withinTime,
} from './measure.ts';

/**
 * Measures the document records API: a record of fifty pages against a bare Express route with the same bytes, the
 * search over 100,000 pages, and the text and all page images of a PDF of 100 pages. The images are compared with
 * `pdftoppm`, which runs once per size in the same run.
 */

const rounds = 5;
const secondsPerRound = 3;
const connections = 16;
const recordPages = 50;
const searchPages = 100_000;
const searches = 400;
const imagePages = 100;
const imageRounds = 1;
const imageWidths = [180, 700, 1000];
const originalDotsPerInch = 150;
const bytesPerMib = 1_048_576;
const kibPerMib = 1024;

/** Measures all rows of the document records API. */
export async function benchDocuments(): Promise<readonly BenchRow[]> {
  return [await recordRow(), ...(await searchRows()), ...(await imageRows())];
}

async function recordRow(): Promise<BenchRow> {
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const path = '/api/v1/document/1/';
  const pages = Array.from({ length: recordPages }, (_, index) => ({ content: text(index, 150) }));
  await control(ours, 'documents', { title: 'Fifty pages', public: true, pages });
  const bytes = await (await fetch(`${ours.baseUrl}${path}`)).text();
  const bare = await startServer([plainScript('bare-express'), bytes, path]);
  try {
    const mine: number[] = [];
    const theirs: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const until = { seconds: secondsPerRound };
      const rates = [
        (await load({ url: `${ours.baseUrl}${path}`, connections }, until)).requestsPerSecond,
        (await load({ url: `${bare.baseUrl}${path}`, connections }, until)).requestsPerSecond,
      ];
      // The first round warms up both servers and is not counted.
      if (round < 0) continue;
      mine.push(rates[0] ?? 0);
      theirs.push(rates[1] ?? 0);
    }
    const what = `GET record with ${recordPages} pages (${Math.round(bytes.length / 1000)} kB) against bare Express`;
    return atLeast(0.5, what, median(mine), median(theirs), 'requests/s');
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

async function searchRows(): Promise<readonly BenchRow[]> {
  const server = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  try {
    await control(server, 'synthetic-documents', { count: searchPages, pages: 1, seed: 7 });
    const address = `${server.baseUrl}/api/v1/page/`;
    const startMs = performance.now();
    const first = (await (await fetch(`${address}?q=and`)).json()) as {
      readonly objects: readonly { content: string }[];
    };
    const indexMs = performance.now() - startMs;
    const sample = (await (await fetch(address)).json()) as typeof first;
    const words = [
      ...new Set(sample.objects.flatMap(({ content }) => content.toLowerCase().match(/[a-z]{3,}/g) ?? [])),
    ];
    const times: number[] = [];
    for (let index = 0; index < searches; index += 1) {
      const word = words[(index * 37) % words.length] ?? 'et';
      const other = words[(index * 53 + 11) % words.length] ?? 'et';
      const q = index % 3 === 0 ? `${word} ${other}` : word;
      const beganMs = performance.now();
      await (await fetch(`${address}?q=${encodeURIComponent(q)}&offset=${(index % 4) * 50}`)).arrayBuffer();
      times.push(performance.now() - beganMs);
    }
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
    return [
      withinTime(20, `search over ${searchPages} pages, p95 of ${searches}`, p95, 'ms'),
      stated('making the index of all pages, once', indexMs, 'ms'),
    ];
  } finally {
    await server.stop();
  }
}

async function imageRows(): Promise<readonly BenchRow[]> {
  if (spawnSync('pdftoppm', ['-v']).error !== undefined)
    throw new Error('Install pdftoppm (poppler-utils) to measure against it.');
  const pages = Array.from({ length: imagePages }, (_, index) => ({
    content: text(index, 400),
    width: 1_240,
    height: 1_754,
  }));
  const pdf = plainPdf(pages, 'A hundred pages');
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'hundred.pdf');
    writeFileSync(file, pdf);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < imageRounds; round += 1) {
      ours.push(imagePages / (await shelvingSeconds(pdf, join(folder, `png-${round}`), false)));
      theirs.push(imagePages / (await peerSeconds(file, folder)));
    }
    const webp = imagePages / (await shelvingSeconds(pdf, join(folder, 'webp'), true));
    const mib = (process.resourceUsage().maxRSS * kibPerMib) / bytesPerMib;
    return [
      pairedAtLeast(
        0.5,
        'pages a second in four sizes as PNG, with their text, against pdftoppm',
        { ours, theirs },
        'pages/s',
      ),
      stated('the same with WebP beside PNG', webp, 'pages/s'),
      withinLimit(1_024, 'peak memory of the process that read them', mib, 'MiB'),
    ];
  });
}

async function shelvingSeconds(pdf: Uint8Array, folder: string, webp: boolean): Promise<number> {
  const fileStore = new DocumentFileStore(folder);
  const startMs = performance.now();
  const { digest, pages } = await fileStore.take(Readable.from([pdf]), { webp });
  for (let page = 1; page <= pages; page += 1) {
    // Images are created on demand: the first size requested for a page renders all of its sizes, and WebP is encoded
    // from each.
    for (const size of webp ? imageSizes : (['original'] as const))
      await fileStore.image(digest, { page, pages, size, webp });
  }
  return (performance.now() - startMs) / 1000;
}

async function peerSeconds(file: string, folder: string): Promise<number> {
  const startMs = performance.now();
  const sizes = imageWidths.map((width) => ['-scale-to-x', String(width), '-scale-to-y', '-1']);
  for (const size of [...sizes, ['-r', String(originalDotsPerInch)]]) {
    const { status } = spawnSync('pdftoppm', ['-png', ...size, file, join(folder, 'peer')]);
    if (status !== 0) throw new Error('pdftoppm failed.');
  }
  return (performance.now() - startMs) / 1000;
}

async function control({ controlUrl }: StartedServer, path: string, body: object): Promise<void> {
  const response = await fetch(`${controlUrl}/sandboxes/default/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The control API answered ${response.status}.`);
}

const vocabulary =
  'the public office keeps records of every decision and answers who asks for one within a month at no cost'.split(' ');

function text(seed: number, words: number): string {
  return Array.from({ length: words }, (_, index) => vocabulary[(seed * 7 + index * 5) % vocabulary.length]).join(' ');
}

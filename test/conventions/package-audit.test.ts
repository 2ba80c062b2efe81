import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { countBytes, neededPackages, sizeFaults, sizeLimits } from '../../tooling/package-audit.ts';

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-audit-'));

afterAll(() => rmSync(folder, { recursive: true }));

describe('054: package audit', () => {
  test('054 canary: a package above a size limit is found, and one within the limits is not', () => {
    const { unpackedBytesMax, installedBytesMax } = sizeLimits;
    expect(sizeFaults(unpackedBytesMax, installedBytesMax)).toEqual([]);
    expect(sizeFaults(unpackedBytesMax + 1, installedBytesMax)).toHaveLength(1);
    expect(sizeFaults(unpackedBytesMax, installedBytesMax + 1)).toHaveLength(1);
  });

  test('054: the size of a package is the sum of its files, without its folders', () => {
    const sized = join(folder, 'sized');
    mkdirSync(join(sized, 'below', 'empty'), { recursive: true });
    writeFileSync(join(sized, 'one.txt'), 'four');
    writeFileSync(join(sized, 'below', 'two.txt'), 'seventy');
    expect(countBytes(sized)).toBe(11);
  });

  test('054: the package needs only its dependencies and no optional peer', () => {
    const needed = neededPackages(fileURLToPath(new URL('../../', import.meta.url)));
    expect(needed.toSorted()).toEqual(['node_modules/@faker-js/faker', 'node_modules/xstate', 'node_modules/zod']);
    for (const optional of [
      'playwright-core',
      'sharp',
      '@cantoo/pdf-lib',
      '@embedpdf/pdfium',
      '@duckdb/node-api',
      '@modelcontextprotocol/sdk',
      'bullmq',
      'ioredis',
      'pg',
    ]) {
      expect(needed).not.toContain(`node_modules/${optional}`);
    }
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentResponse } from '../../src/contract/document-operations.ts';
import { locked } from '../documents/made-pdfs.ts';
import { DocumentServer } from '../server/document-server.ts';
import { runHere } from './command-context.ts';

let server: DocumentServer;

beforeAll(async () => {
  server = await DocumentServer.start();
});

afterAll(() => server.close());

function documents(...words: readonly string[]): ReturnType<typeof runHere> {
  return runHere(['documents', ...words, '--url', server.baseUrl]);
}

const folder = 'fixtures/documents';

describe('documents', () => {
  test('D5: files become documents with the given options', async () => {
    const files = [`${folder}/pdfkit-catalogue.pdf`, `${folder}/ghostscript-harbour.pdf`];
    const { code, stdout } = await documents(
      'add',
      ...files,
      '--public',
      '--owner',
      'ada',
      '--tag',
      'x',
      '--no-webp',
      '--json',
    );
    expect(code).toBe(0);
    const added = stdout
      .trim()
      .split('\n')
      .map((line) => documentResponse.parse(JSON.parse(line)));
    expect(added).toMatchObject([
      { title: 'Catalogue of instruments', public: true, owner: 'ada', tags: ['x'], pages: 3 },
      { title: 'Report on the harbour', pages: 2 },
    ]);
    const { properties } = await server.json(`/api/v1/document/${added[0]?.id}/`);
    expect(properties).toMatchObject({ _format_webp: false });
  });

  test('D7: list, show, publish and unpublish work on existing documents', async () => {
    const files = [`${folder}/tex-budget.pdf`, `${folder}/pdfkit-catalogue.pdf`];
    const { stdout } = await documents('add', ...files, '--public', '--json');
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => documentResponse.parse(JSON.parse(line)).id);
    const [first = '', second = ''] = ids.map(String);
    expect((await documents('unpublish', first)).stdout).toContain('public       false');
    expect((await documents('publish', first, second)).code).toBe(1);
    expect((await documents('show', first, '--json')).stdout).toContain('"public":true');
    const listed = (await documents('list')).stdout.trim().split('\n');
    expect(listed.filter((line) => [first, second].includes(line.trim().split(' ', 1)[0] ?? ''))).toHaveLength(2);
  });

  test('document-too-large: a rejected file is reported by its error code, and the other files are added', async () => {
    const files = [`${folder}/pdfkit-catalogue.pdf`, `${folder}/README.md`, `${folder}/tex-budget.pdf`];
    const before = server.sandbox.documents.count();
    const { code, stdout, stderr } = await documents('add', ...files, '--max-pages', '2');
    expect([code, stdout.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toContain('document-too-large');
    expect(stderr).toContain('document-unreadable');
    expect(server.sandbox.documents.count() - before).toBe(1);
  });

  test('server-unreachable: the command ends at the first file', async () => {
    const files = [`${folder}/pdfkit-catalogue.pdf`, `${folder}/tex-budget.pdf`];
    const { code, stderr } = await runHere(['documents', 'add', ...files, '--url', 'http://localhost:1']);
    expect([code, stderr.match(/^error [\w-]+/gm)]).toEqual([2, ['error server-unreachable']]);
  });

  test('document-encrypted: --password opens a file that requires one', async () => {
    const folderOfLocked = mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
    try {
      const file = join(folderOfLocked, 'locked.pdf');
      writeFileSync(file, await locked('päss wörd', '1.6'));
      const refused = await documents('add', file);
      expect([refused.code, refused.stderr.includes('document-encrypted')]).toEqual([1, true]);
      const added = await documents('add', file, '--password', 'päss wörd');
      expect([added.code, added.stdout.includes('locked')]).toEqual([0, true]);
      expect(`${added.stdout}${added.stderr}`).not.toContain('wörd');
    } finally {
      rmSync(folderOfLocked, { recursive: true });
    }
  });

  test.for([[['add']], [['show', 'x']], [['publish']], [['elsewhere']]] as const)(
    'usage-invalid: documents rejects the arguments %s',
    async ([words]) => {
      const { code, stderr } = await documents(...words);
      expect([code, stderr.includes('usage-invalid')]).toEqual([2, true]);
    },
  );
});

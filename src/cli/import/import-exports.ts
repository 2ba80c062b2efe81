import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { tenantFactsSchema } from '../../contract/facts.schema.ts';
import { type ImportMapping, importMappingSchema } from '../../contract/import-mapping.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { shellLine } from '../../core/shell-line.ts';
import { type ExportFiles, importExport } from '../../replay/import/import-export.ts';
import { listKeptColumns } from '../../replay/import/kept-columns.ts';
import { Pseudonyms } from '../../replay/import/pseudonyms.ts';
import { generateExport, madeUpSchema } from '../../replay/import/synthetic-export.ts';
import { builtInChoice } from '../../scenario/rulesets/ruleset-choice.ts';
import { shippedFixturesFolder } from '../../scenario/shipped.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadNamed } from '../open-rulesets.ts';
import { paletteFor } from '../palette.ts';
import { print, printFile, printJson } from '../print.ts';
import { inStagedFolder } from '../staged-folder.ts';
import type { ImportArguments } from './import-options.ts';
import { namingFile, namingFiles, readData, readText } from './read-data.ts';
import { reportLines } from './report-text.ts';

const importsFolder = join(shippedFixturesFolder, 'imports');

/**
 * Minimum length of a pseudonym key in bytes. A shorter key can be guessed, and a file over the maximum is not a
 * key.
 */
const keyBytesMin = 16;
const keyBytesMax = 65_536;

/**
 * Imports exports, generates synthetic logs, or prints the mapping. Returns the exit code. Throws an error that the
 * caller can correct.
 */
export async function importExports(args: ImportArguments, context: CommandContext): Promise<ExitCode> {
  const { stdout, cwd } = context;
  if (args.printMapping) {
    printFile(stdout, readFileSync(join(importsFolder, 'mapping.yaml'), 'utf8'));
    return 0;
  }
  const out = prepareFolder(args, cwd);
  if (args.synthesize !== null) return generate(args, out, context);
  if (args.operands.length === 0)
    throw new NudgeLabError('usage-invalid', { message: 'Name a sign-in log to import.' });
  const at = (path: string | null): string | null => (path === null ? null : resolve(cwd, path));
  const files: ExportFiles = {
    signIns: args.operands.map((path) => resolve(cwd, path)),
    registrations: at(args.registrations),
    groups: at(args.groups),
    nudgeStatus: at(args.snoozes),
    policy: args.policy === null ? null : readData(args.policy, cwd),
    audit: args.auditLog === null ? [] : readRows(args.auditLog, cwd),
    tenant: args.tenant === null ? {} : readData(args.tenant, cwd),
  };
  namingFile(args.tenant, () => parseOr('bad-request', tenantFactsSchema, files.tenant, 'tenant'));
  const options = {
    mapping: loadMapping(args.mapping, cwd),
    kept: listKeptColumns(await loadOwn(args.ruleset, cwd)),
    pseudonyms: args.pseudonymKey === null ? null : new Pseudonyms(readKey(resolve(cwd, args.pseudonymKey))),
    nowMs: context.clock.nowMs(),
    memoryLimit: args.memoryLimit ?? undefined,
  };
  const work = inStagedFolder(out, (staging) => importExport(files, { ...options, out: staging }));
  const { report } = await work.catch((cause: unknown) => {
    throw namingFiles(cause, (place) => (place.startsWith('policy') ? args.policy : args.auditLog));
  });
  const palette = paletteFor(stdout, context, args.color);
  if (args.json) printJson(stdout, { folder: args.out, ...report });
  else
    print(stdout, { folder: args.out ?? '', report }, (visible) =>
      reportLines(visible.folder, visible.report, palette),
    );
  return 0;
}

/** Loads own campaigns, each by itself, because two versions of one ruleset can be compared later. */
async function loadOwn(names: readonly string[], cwd: string): Promise<readonly OwnRuleset[]> {
  const rulesets: OwnRuleset[] = [];
  for (const name of names) {
    const loaded = await loadNamed(name, '--ruleset', builtInChoice().registry, cwd);
    if (loaded.base !== 'own') {
      const message = `${loaded.id} has the base registration-campaign; only the facts of own campaigns are read from columns`;
      throw new NudgeLabError('usage-invalid', { problems: [{ location: '--ruleset', message }] });
    }
    rulesets.push(loaded.ruleset);
  }
  return rulesets;
}

async function generate(args: ImportArguments, out: string, { stdout, program }: CommandContext): Promise<ExitCode> {
  const path = join(importsFolder, 'made-up.yaml');
  const madeUp = parseOr('file-unreadable', madeUpSchema, parse(readFileSync(path, 'utf8')), 'made-up');
  const rows = args.synthesize ?? 1;
  const wanted = { rows, seed: args.seed, form: args.format };
  const made = await inStagedFolder(out, (staging) => generateExport(madeUp, { ...wanted, out: staging }));
  const placed = (file: string): string => join(out, basename(file));
  const files = {
    signIns: placed(made.signIns),
    registrations: placed(made.registrations),
    policy: placed(made.policy),
  };
  if (args.json) printJson(stdout, { rows, ...files });
  else {
    print(stdout, files, ({ signIns, registrations, policy }) => {
      const read = ['import', signIns, '--registrations', registrations, '--policy', policy, '--out', 'tenant'];
      return [`Generated ${rows} rows in ${signIns}.`, `Import them: ${shellLine(program, read)}`];
    });
  }
  return 0;
}

function prepareFolder({ out, force }: ImportArguments, cwd: string): string {
  if (out === null) throw new NudgeLabError('usage-invalid', { message: 'Specify the output folder with --out.' });
  const folder = resolve(cwd, out);
  if (existsSync(folder) && !force && readdirSync(folder).length > 0) {
    throw new NudgeLabError('file-exists', { message: `The folder ${out} is not empty.` });
  }
  return folder;
}

/**
 * Loads the mapping from a file, or the built-in one. Throws `file-unreadable`, and `bad-request` with all
 * problems.
 */
export function loadMapping(file: string | null, cwd: string): ImportMapping {
  const path = file === null ? join(importsFolder, 'mapping.yaml') : resolve(cwd, file);
  const data = readData(path, cwd);
  return namingFile(file, () => parseOr('bad-request', importMappingSchema, data, 'mapping'));
}

/** Maximum size in bytes of an audit log, because it is loaded into memory as a whole. */
const auditBytesMax = 268_435_456;

/** Reads the rows of a JSON file: an array, pages with rows, or one row per line. Throws `file-unreadable`. */
function readRows(file: string, cwd: string): readonly unknown[] {
  const text = readText(file, cwd, auditBytesMax);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const forms = [
    () => lines.map((line) => JSON.parse(line) as unknown).flatMap(toList),
    () => toList(JSON.parse(text)),
  ];
  for (const read of forms) {
    try {
      return read();
    } catch {
      // The text has another format.
    }
  }
  return toList(readData(file, cwd));
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const wrapped = isPlainObject(value) ? value['value'] : undefined;
  return Array.isArray(wrapped) ? wrapped : [value];
}

function readKey(path: string): Buffer {
  const key = Buffer.from(readText(path, '', keyBytesMax).trim());
  if (key.length >= keyBytesMin) return key;
  throw new NudgeLabError('usage-invalid', {
    message: `The pseudonym key is ${key.length} bytes long; at least ${keyBytesMin} bytes are required.`,
  });
}

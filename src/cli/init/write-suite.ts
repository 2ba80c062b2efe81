import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { shellLine, shellQuoted } from '../../core/shell-line.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { isTaken } from '../is-taken.ts';
import { makeFolder } from '../make-folder.ts';
import { print, printJson } from '../print.ts';
import { publishedSchemas, schemaText } from '../schema/schemas.ts';
import type { InitArguments } from './init-options.ts';
import { suiteFiles } from './suite-files.ts';

/**
 * Creates a first suite. Returns the exit code. Throws `file-exists` with the names of all conflicting files, and
 * writes no file in this case.
 */
export async function writeSuite(args: InitArguments, context: CommandContext): Promise<ExitCode> {
  const { cwd, stdout, program } = context;
  const folder = resolve(cwd, args.operands[0] ?? '.');
  const files = suiteFiles((name) => {
    const schema = publishedSchemas.get(name);
    return schema === undefined ? '{}\n' : schemaText(schema);
  });
  const standing = files.filter(({ path }) => isTaken(join(folder, path)));
  if (standing.length > 0 && !args.force) {
    throw new NudgeLabError('file-exists', {
      problems: standing.map(({ path }) => ({
        location: formatRelativePath(join(folder, path), cwd),
        message: 'already exists',
      })),
    });
  }
  for (const { path, text } of files) write(join(folder, path), text, args.force);
  const paths = files.map(({ path }) => formatRelativePath(join(folder, path), cwd));
  if (args.json) printJson(stdout, { folder, files: paths });
  else
    print(stdout, { paths, folder: formatRelativePath(folder, cwd) }, (visible) =>
      nextSteps(visible.paths, visible.folder, program),
    );
  return 0;
}

/** Formats a path as the caller would type it. */
function formatRelativePath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '..' || short.startsWith(`..${sep}`) ? path : short;
}

function write(path: string, text: string, force: boolean): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    if (cause instanceof NudgeLabError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${path} cannot be written: ${reason}.`, cause });
  }
}

function nextSteps(paths: readonly string[], folder: string, program: string): readonly string[] {
  const option = folder === '' ? [] : ['--config', `${folder}/nudgelab.config.ts`];
  const line = shellLine('nudgelab', ['run', ...option]);
  // Every shell supports double quotes, and they suffice for a line without single quotes.
  const script = line.includes("'") ? shellQuoted(line) : `"${line}"`;
  return [
    'Written:',
    ...paths.map((path) => `  ${path}`),
    '',
    `Run it:                ${shellLine(program, ['run', ...option])}`,
    `Against a real server: ${shellLine(program, ['run', '--driver', 'http', ...option])}`,
    `As a package script:   npm pkg set scripts.scenarios=${script}`,
    'Add to .gitignore:     nudgelab-report/ and .nudgelab/',
  ];
}

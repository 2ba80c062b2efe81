import { join, resolve } from 'node:path';
import { shellLine, shellQuoted } from '../../core/shell-line.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import { publishedSchemas, schemaText } from '../schema/schemas.ts';
import type { InitArguments } from './init-options.ts';
import { formatRelativePath, writeNewFiles } from './new-files.ts';
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
  writeNewFiles(folder, files, { force: args.force, cwd });
  const paths = files.map(({ path }) => formatRelativePath(join(folder, path), cwd));
  if (args.json) printJson(stdout, { folder, files: paths });
  else
    print(stdout, { paths, folder: formatRelativePath(folder, cwd) }, (visible) =>
      nextSteps(visible.paths, visible.folder, program),
    );
  return 0;
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

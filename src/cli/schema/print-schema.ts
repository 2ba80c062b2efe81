import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { makeFolder } from '../make-folder.ts';
import { print, printFile, printJson } from '../print.ts';
import type { SchemaArguments } from './schema-options.ts';
import { publishedSchemas, schemaText } from './schemas.ts';

/**
 * Prints a schema, lists all schemas, or writes all of them. Returns the exit code. Throws `usage-invalid` for an
 * unknown name.
 */
export async function printSchema(args: SchemaArguments, { stdout, cwd }: CommandContext): Promise<ExitCode> {
  const [name] = args.operands;
  if (args.out !== null) {
    const count = writeAll(resolve(cwd, args.out));
    print(stdout, args.out, (folder) => [`${count} schemas written to ${folder}`]);
    return 0;
  }
  if (name === undefined) {
    if (args.json) printJson(stdout, [...publishedSchemas.keys()]);
    else print(stdout, {}, listing);
    return 0;
  }
  const schema = publishedSchemas.get(name);
  if (schema === undefined) {
    const message = endSentence(describeUnknownName(name, [...publishedSchemas.keys()]));
    throw new NudgeLabError('usage-invalid', { message });
  }
  printFile(stdout, schemaText(schema));
  return 0;
}

/** Returns the file name of a schema in docs/schemas and in the folder of `--out`. */
export function schemaFileName(name: string): string {
  return `${name}.json`;
}

function writeAll(folder: string): number {
  try {
    makeFolder(folder);
    for (const [name, schema] of publishedSchemas)
      writeFileSync(join(folder, schemaFileName(name)), schemaText(schema));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${folder} cannot be written to: ${reason}.`, cause });
  }
  return publishedSchemas.size;
}

function listing(): string {
  const width = Math.max(...[...publishedSchemas.keys()].map(({ length }) => length));
  return [...publishedSchemas].map(([name, { title }]) => `${name.padEnd(width)}  ${title}\n`).join('');
}

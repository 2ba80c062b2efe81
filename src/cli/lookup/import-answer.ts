import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { lookupTypes } from '../../contract/lookup.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { planSandbox } from '../../sandbox/sandbox.ts';
import { textAtMost, tooLarge } from '../../scenario/data-file.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { printFile } from '../print.ts';
import type { LookupArguments } from './lookup-options.ts';
import { toFixture } from './redact-answer.ts';

/** Maximum size of one response in bytes. */
const answerBytesMax = 1_048_576;

const answerSchema = z.looseObject({
  success: z.literal(true),
  query: z.string().min(1),
  type: z.enum(lookupTypes),
  results: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/**
 * Records a fixture from a file with a response of a lookup API. Returns the exit code. Throws `file-unreadable`,
 * and `fixture-invalid` if the file contains no such response or one that no fixture can produce.
 */
export async function importAnswer(args: LookupArguments, { cwd, stdout }: CommandContext): Promise<ExitCode> {
  const path = args.operands[1] ?? '';
  const answer = parseOr('fixture-invalid', answerSchema, jsonIn(resolve(cwd, path), path), 'answer');
  const fixture = toFixture(answer);
  try {
    planSandbox({ lookup: fixture });
  } catch (cause) {
    if (!(cause instanceof NudgeLabError)) throw cause;
    throw new NudgeLabError('fixture-invalid', { problems: cause.problems, cause });
  }
  const text = `# Recorded from a response of a lookup API; addresses, names and secrets are redacted.\n${stringify(fixture, { lineWidth: 0 })}`;
  if (args.out === null) printFile(stdout, text);
  else write(resolve(cwd, args.out), text);
  return 0;
}

function jsonIn(path: string, displayPath: string): unknown {
  let text: string | null;
  try {
    text = textAtMost(path, answerBytesMax);
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', { message: `${displayPath} cannot be read.`, cause });
  }
  if (text === null)
    throw new NudgeLabError('file-unreadable', { message: `${displayPath}: ${tooLarge(answerBytesMax)}.` });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new NudgeLabError('fixture-invalid', { message: `${displayPath} is not valid JSON.`, cause });
  }
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new NudgeLabError(exists ? 'file-exists' : 'file-unreadable', {
      message: `${path} cannot be written.`,
      cause,
    });
  }
}

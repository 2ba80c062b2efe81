import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { chosenCampaign } from '../named-ruleset.ts';
import { openRulesets } from '../open-rulesets.ts';
import { printJsonLines } from '../print.ts';
import { showError } from '../show-error.ts';
import { badLines, evaluateLine, lineCharactersMax } from './evaluate-line.ts';
import { type ExplainArguments, parseTimes } from './explain-options.ts';
import { FactsReader } from './facts-reader.ts';

/** Size of one read in bytes. */
const chunkBytes = 262_144;

/** Maximum number of invalid lines that are listed. Further ones are only counted. */
const badLinesShownMax = 20;

/**
 * Evaluates a file of facts, or standard input if the file is `-`. Writes one verdict per line to standard output,
 * in input order. Invalid lines are omitted and reported at the end. Returns the exit code. Throws
 * `file-unreadable`.
 */
export async function explainFacts(file: string, args: ExplainArguments, context: CommandContext): Promise<ExitCode> {
  const { stdout } = context;
  const rulesets = await openRulesets(args, await loadConfig(args.config, context.cwd), context.cwd);
  refuseSettings(args);
  const named = { default: chosenCampaign(rulesets, 'explain'), byId: rulesets.registry.campaigns };
  const atMs = parseTime(args);
  const reader = new FactsReader();
  const problems: ValidationProblem[] = [];
  let number = 0;
  let bad = 0;
  let evaluated = 0;
  for await (const lines of splitLines(readChunks(file, context))) {
    let out = '';
    for (const line of lines) {
      number += 1;
      if (line.trim() === '') continue;
      const result = evaluateLine(line, reader, named, atMs);
      if ('verdict' in result) {
        out += `${result.verdict}\n`;
        evaluated += 1;
      } else {
        bad += 1;
        if (bad <= badLinesShownMax) problems.push(...result.problems.map((problem) => atLine(number, problem)));
      }
    }
    if (out !== '' && !printJsonLines(stdout, out)) await stdout.drained();
  }
  if (bad === 0 && evaluated > 0) return 0;
  const rest = bad - badLinesShownMax;
  if (rest > 0) problems.push({ location: `${rest} more lines`, message: 'are not valid facts either' });
  return showError(badLines(problems, bad, bad + evaluated), context, { json: false, verbose: args.verbose });
}

/** Rejects settings of the command line, because every line has the settings of its tenant. */
function refuseSettings({ set }: ExplainArguments): void {
  if (set.length === 0) return;
  const message = 'is not available with --facts; write the settings into tenant.settings of each line';
  throw new NudgeLabError('usage-invalid', { problems: [{ location: '--set', message }] });
}

/** Returns the time of all sign-ins in milliseconds; `null` if the lines have their times. */
function parseTime(args: ExplainArguments): number | null {
  const [atMs = null, ...others] = parseTimes(args);
  if (others.length === 0) return atMs;
  throw new NudgeLabError('usage-invalid', { message: 'With --facts, --at names one time for all lines.' });
}

function atLine(number: number, { location: place, message }: ValidationProblem): ValidationProblem {
  return { location: `line ${number}`, message: place === '' ? message : `${place}: ${message}` };
}

async function* readChunks(file: string, { cwd, stdin }: CommandContext): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* stdin();
    return;
  }
  try {
    yield* createReadStream(resolve(cwd, file), { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${file} cannot be read: ${reason}.`, cause });
  }
}

/** Yields the lines of each chunk together, because one `await` per line is slow for a million lines. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
    if (rest.length > lineCharactersMax) {
      throw new NudgeLabError('facts-invalid', { message: `A line is longer than ${lineCharactersMax} characters.` });
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield [rest];
}

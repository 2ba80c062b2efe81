import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { explainRuleset } from '../../scenario/rulesets/explain-ruleset.ts';
import { checkOwnFile, type ReadRuleset, readOwnFile } from '../../scenario/rulesets/read-ruleset.ts';
import { formatFault } from '../../scenario/rulesets/ruleset-fault.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import type { RulesetArguments } from './ruleset-options.ts';

const actions = ['check', 'explain'] as const;

/** A ruleset file with its result. */
type NamedRuleset = ReadRuleset & { readonly file: string };

/**
 * Runs an action of `nudgelab ruleset`. Returns the exit code.
 *
 * @throws NudgeLabError `usage-invalid` for an unknown action or no file, `file-unreadable`
 */
export async function runRuleset(args: RulesetArguments, context: CommandContext): Promise<ExitCode> {
  const [written = '', ...files] = args.operands;
  const action = actions.find((one) => one === written);
  if (action === undefined) {
    throw new NudgeLabError('usage-invalid', { message: `The action ${describeUnknownName(written, actions)}.` });
  }
  if (files.length === 0) throw new NudgeLabError('usage-invalid', { message: `Name the ruleset files to ${action}.` });
  const rulesets = files.map((file): NamedRuleset => ({ file, ...readFile(file, action, context.cwd) }));
  const faulty = rulesets.some(({ ruleset }) => ruleset === null);
  if (action === 'check' || faulty) return printFaults(rulesets, args, context);
  const texts = rulesets.map(({ ruleset }) => (ruleset === null ? [] : explainRuleset(ruleset)));
  if (args.json)
    printJson(
      context.stdout,
      texts.map((lines, index) => ({ file: files[index], lines })),
    );
  else print(context.stdout, texts.flat(), (lines) => lines);
  return 0;
}

function readFile(file: string, action: (typeof actions)[number], cwd: string): ReadRuleset {
  try {
    return (action === 'check' ? checkOwnFile : readOwnFile)(resolve(cwd, file), file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${file} cannot be read: ${reason}.`, cause });
  }
}

function printFaults(rulesets: readonly NamedRuleset[], args: RulesetArguments, context: CommandContext): ExitCode {
  const { stdout } = context;
  const faults = rulesets.flatMap((one) => one.faults);
  const warnings = faults.filter(({ severity }) => severity === 'warning').length;
  const count = faults.length - warnings;
  const passes = count === 0 && (warnings === 0 || !args.strict);
  const { good, bad } = paletteFor(stdout, context, args.color);
  if (args.json) {
    printJson(stdout, {
      rulesets: rulesets.map(({ file, ruleset }) => ({
        file,
        ruleset: ruleset?.id ?? null,
        version: ruleset?.version ?? null,
        digest: ruleset?.digest ?? null,
      })),
      faults,
    });
  } else {
    print(stdout, faults.map(formatFault), (lines) => [
      ...lines,
      count === 0
        ? (passes ? good : bad)(
            `No faults${warnings === 0 ? '' : `, ${plural(warnings, 'warning')}`} in ${plural(rulesets.length, 'ruleset')}.`,
          )
        : bad(`${plural(count, 'fault')}. Correct each location, and run the command again.`),
    ]);
  }
  return passes ? 0 : 1;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

import { resolve } from 'node:path';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { explainCampaign } from '../../scenario/rulesets/explain-campaign.ts';
import { explainRuleset } from '../../scenario/rulesets/explain-ruleset.ts';
import { type AnyRuleset, type ReadAnyRuleset, readBuiltInRuleset } from '../../scenario/rulesets/read-ruleset.ts';
import { checkAnyFile, type ModuleUse, readAnyFile } from '../../scenario/rulesets/read-ruleset-file.ts';
import { formatFault } from '../../scenario/rulesets/ruleset-fault.ts';
import { listStateChanges } from '../../scenario/rulesets/user-states.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { listRulesetFiles } from './ruleset-files.ts';
import type { RulesetArguments } from './ruleset-options.ts';

const fileActions = ['check', 'explain'] as const;
const actions = [...fileActions, 'diff', 'export', 'init', 'list', 'schema'] as const;

/** A ruleset file with its result. */
type NamedRuleset = ReadAnyRuleset & { readonly file: string };

/**
 * Runs an action of `nudgelab ruleset`. Returns the exit code.
 *
 * @throws NudgeLabError `usage-invalid` for an unknown action or no file, `file-unreadable`
 */
export async function runRuleset(args: RulesetArguments, context: CommandContext): Promise<ExitCode> {
  const [written = '', ...operands] = args.operands;
  const action = actions.find((one) => one === written);
  if (action === undefined) {
    throw new NudgeLabError('usage-invalid', { message: `The action ${describeUnknownName(written, actions)}.` });
  }
  // Each action loads what it needs: the schemas of all interfaces alone take longer than a comparison.
  if (action === 'schema') {
    const { printSchema } = await import('../schema/print-schema.ts');
    return printSchema({ ...args, operands: ['ruleset'], out: null }, context);
  }
  if (action === 'diff') return (await import('./diff-rulesets.ts')).diffRulesets(operands, args, context);
  if (action === 'export') return (await import('./list-rulesets.ts')).exportRuleset(operands, args, context);
  if (action === 'init') {
    const [folder = '.', ...others] = operands;
    if (others.length > 0) throw new NudgeLabError('usage-invalid', { message: 'init takes one folder.' });
    return (await import('./init-ruleset.ts')).initRuleset(folder, args, context);
  }
  const files = listRulesetFiles(operands, context.cwd);
  if (action === 'list') return (await import('./list-rulesets.ts')).listRulesets(files, args, context);
  if (files.length === 0) throw new NudgeLabError('usage-invalid', { message: `Name the ruleset files to ${action}.` });
  const rulesets = files.map(
    (file): NamedRuleset => ({ file, ...readFile(file, action, context.cwd, args.modules ? 'run' : 'skip') }),
  );
  const faulty = rulesets.some(({ read }) => read === null);
  if (action === 'check' || faulty) return printFaults(rulesets, args, context);
  const texts = rulesets.map(({ read }) => (read === null ? [] : explainAny(read, args.edition)));
  if (args.md && args.html) throw new NudgeLabError('usage-invalid', { message: 'Choose one of --md and --html.' });
  if (args.md || args.html) {
    const { explanationHtml, explanationMarkdown } = await import('../../report/explanation.ts');
    const write = args.md ? explanationMarkdown : explanationHtml;
    const stateChanges = listStateChanges();
    print(context.stdout, texts, (visible) => write({ rulesets: visible, stateChanges }));
    return 0;
  }
  if (args.json)
    printJson(
      context.stdout,
      texts.map((lines, index) => ({ file: files[index], lines })),
    );
  else print(context.stdout, texts.flat(), (lines) => lines);
  return 0;
}

function explainAny(read: AnyRuleset, edition: string | null): readonly string[] {
  const editions =
    read.base === 'own'
      ? read.ruleset.editions.map(({ rules }) => rules.edition)
      : (read.ruleset.rules.editions ?? []).map(({ rules }) => rules.edition ?? null);
  if (edition !== null && !editions.includes(edition)) {
    const known = editions.filter((one) => one !== null);
    const message =
      known.length === 0
        ? `The ruleset ${read.ruleset.id} has no editions; leave --edition out.`
        : `The edition ${describeUnknownName(edition, known)}.`;
    throw new NudgeLabError('usage-invalid', { message });
  }
  return read.base === 'own' ? explainRuleset(read.ruleset, edition) : explainCampaign(read.ruleset, edition);
}

function readFile(file: string, action: (typeof fileActions)[number], cwd: string, modules: ModuleUse): ReadAnyRuleset {
  if (action === 'explain' && rulesetIds.includes(file)) {
    return { read: { base: 'registration-campaign', ruleset: readBuiltInRuleset(file) }, faults: [] };
  }
  try {
    return (action === 'check' ? checkAnyFile : readAnyFile)(resolve(cwd, file), file, modules);
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
      rulesets: rulesets.map(({ file, read }) => ({
        file,
        ruleset: read?.ruleset.id ?? null,
        version: read?.ruleset.version ?? null,
        digest: read?.ruleset.digest ?? null,
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

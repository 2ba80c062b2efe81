import { readFileSync } from 'node:fs';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { findBuiltInFile } from '../../scenario/rulesets/built-in-text.ts';
import { loadRuleset } from '../../scenario/rulesets/load-rulesets.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import type { RulesetArguments } from './ruleset-options.ts';

/** Number of characters of a digest that a line of text shows. */
const digestCharacters = 12;

/**
 * Lists the built-in rulesets and the given files with version, base and digest (OC44).
 *
 * @throws NudgeLabError `ruleset-invalid` with every fault of a file, `file-unreadable`
 */
export function listRulesets(files: readonly string[], args: RulesetArguments, context: CommandContext): ExitCode {
  const registry = new RulesetRegistry();
  for (const file of files) loadRuleset(file, registry, context.cwd);
  const rows = registry
    .list()
    .map(({ id, version, base, digest, origin, title }) => ({ id, version, base, digest, origin, title }));
  if (args.json) printJson(context.stdout, { rulesets: rows });
  else
    print(context.stdout, rows, (visible) => {
      const widths = (['id', 'version', 'base'] as const).map((key) =>
        Math.max(...visible.map((row) => row[key].length)),
      );
      return visible.map(({ id, version, base, digest, origin, title }) =>
        [
          ...[id, version, base].map((cell, column) => cell.padEnd(widths[column] ?? 0)),
          digest.slice(0, digestCharacters),
          `${title} (${origin})`,
        ].join('  '),
      );
    });
  return 0;
}

/**
 * Prints the file of a built-in ruleset (OC44).
 *
 * @throws NudgeLabError `usage-invalid` for another id
 */
export function exportRuleset(ids: readonly string[], args: RulesetArguments, context: CommandContext): ExitCode {
  const [id = '', ...others] = ids;
  const known = new RulesetRegistry().list().flatMap((one) => (one.origin === 'built-in' ? [one.id] : []));
  if (others.length > 0 || !known.includes(id)) {
    const message =
      ids.length === 1
        ? `The built-in ruleset ${describeUnknownName(id, known)}.`
        : `Name one built-in ruleset to export: ${known.join(', ')}.`;
    throw new NudgeLabError('usage-invalid', { message });
  }
  const text = readFileSync(findBuiltInFile(id), 'utf8');
  if (args.json) printJson(context.stdout, { id, text });
  else print(context.stdout, text.trimEnd().split('\n'), (lines) => lines);
  return 0;
}

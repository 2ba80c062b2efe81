/**
 * Names of options in earlier versions, with the options of today. A name that commands used for several things has one
 * entry for each; the command has only one of them.
 */
const renamedOptions: Readonly<Record<string, readonly string[]>> = {
  '--allow-writes': ['--allow-scenario-edits'],
  '--as': ['--format'],
  '--assume': ['--assume-action'],
  '--audit': ['--audit-log'],
  '--budget': ['--time-limit'],
  '--combine': ['--strength'],
  '--cover': ['--coverage'],
  '--days': ['--snooze-days'],
  '--earlier': ['--baseline'],
  '--fixture': ['--lookup'],
  '--generate': ['--synthesize'],
  '--ledger': ['--snoozes'],
  '--limit': ['--max-states'],
  '--max-requests': ['--max-in-flight'],
  '--memory': ['--memory-limit'],
  '--no-decide': ['--skip-equivalence'],
  '--no-skips': ['--fail-on-skip'],
  '--now': ['--clock'],
  '--pages-max': ['--max-pages'],
  '--pairs': ['--max-state-pairs'],
  '--population': ['--synthetic-users'],
  '--pseudonyms': ['--pseudonym-key'],
  '--public-host': ['--allowed-host'],
  '--repeat': ['--repeat-each'],
  '--seconds-max': ['--timeout'],
  '--show-mapping': ['--print-mapping'],
  '--steps': ['--max-steps'],
  '--suffixes': ['--distinguish'],
  '--tries': ['--max-shrinks'],
  '--unmasked': ['--masking-free'],
  '--walk': ['--interactive'],
  '--walks': ['--random-steps', '--runs'],
  '--write': ['--out'],
  '--write-scenarios': ['--allow-scenario-edits'],
};

/**
 * Finds the option of a command that replaced one of an earlier version.
 *
 * @param name - the option on the command line, such as `--budget`, with or without a value
 * @param flags - syntax of each option of the command
 * @returns the name of today, or `null` if the option was never one of the command
 */
export function findRenamedOption(name: string, flags: readonly string[]): string | null {
  const [old = ''] = name.split('=');
  const today = Object.hasOwn(renamedOptions, old) ? renamedOptions[old] : undefined;
  return today?.find((option) => flags.some((syntax) => syntax.split(/[ ,]/).includes(option))) ?? null;
}

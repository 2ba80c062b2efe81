import type { OwnRules, OwnRuleset } from '../../../../machines/own/own-ruleset.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import { isPlainObject } from '../../../core/merge-patch.ts';
import { watchGlobals } from '../../../core/watched-globals.ts';
import { RulesPeriod } from '../rules-period.ts';
import type { RulesetFaults } from '../ruleset-fault.ts';
import { checkCompletion } from './check-completion.ts';
import { checkDeadline } from './check-deadline.ts';
import { checkDecisions } from './check-decisions.ts';
import { checkGates } from './check-gates.ts';
import { checkLedger } from './check-ledger.ts';
import { checkModules } from './check-modules.ts';
import { checkPeriods } from './check-periods.ts';
import { type Finding, prepareRules } from './checked-rules.ts';

/**
 * Checks the meaning of a ruleset: gates that always stop (RS28), what can never decide (RS29), what reads nothing that
 * is stored (RS30), requirements that no user can fulfill (RS33), and modules that are not pure (RS34). Deadlines count among what can never decide. Facts are compared by one value of each region that
 * the conditions distinguish; where they are not finite, nothing is reported.
 *
 * @param ruleset - ruleset without faults
 * @param data - the ruleset as it is written
 * @param faults - collector to which the faults are added
 */
export function checkMeaning(
  ruleset: OwnRuleset,
  data: Readonly<Record<string, unknown>>,
  faults: RulesetFaults,
): void {
  const reported = new Set<string>();
  const periods = listPeriods(ruleset, data);
  const inFile = faults.inPeriod(new RulesPeriod(data, data));
  for (const [index, { rules, fromMs, written }] of periods.entries()) {
    const inPart = index === 0 ? inFile : faults.below(['editions', index - 1, 'set']);
    const before = periods[index - 1]?.rules;
    const untilMs = periods[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const checked = prepareRules({ rules, facts: ruleset.facts, period: { fromMs, untilMs } }, written);
    // Searches evaluate modules too: what an impure one begins there, such as a request, must not end the process.
    const findings = watchGlobals(
      () => {
        const modules = checkModules(checked);
        if (!modules.allEnd) return modules.findings;
        return [
          ...modules.findings,
          ...checkGates(checked),
          ...checkDecisions(checked),
          ...checkDeadline(checked, before ?? null),
          ...checkLedger(rules),
          ...checkCompletion(checked),
        ];
      },
      () => undefined,
    );
    for (const finding of findings) add(finding, inPart, reported);
    if (before !== undefined && isSame(before, rules)) {
      const path = ['editions', index - 1];
      faults.warn('RS29', path, 'the edition changes no rule; leave it out, or correct its set');
    }
  }
  const inPeriods = checkPeriods(
    periods.map(({ rules }) => rules),
    data,
  );
  for (const finding of inPeriods) add(finding, inFile, reported);
}

interface CheckedPeriod {
  readonly rules: OwnRules;
  readonly fromMs: number;
  /** Keys of the ruleset, or of the edition's patch. */
  readonly written: Readonly<Record<string, unknown>>;
}

function listPeriods(
  { first, editions }: OwnRuleset,
  data: Readonly<Record<string, unknown>>,
): readonly CheckedPeriod[] {
  const patches: readonly unknown[] = Array.isArray(data['editions']) ? data['editions'] : [];
  return [
    { rules: first, fromMs: Number.NEGATIVE_INFINITY, written: data },
    ...editions.map(({ fromMs, rules }, index) => {
      const patch = patches[index];
      const set = isPlainObject(patch) ? patch['set'] : null;
      return { rules, fromMs, written: isPlainObject(set) ? set : {} };
    }),
  ];
}

/** Adds a finding once. What an edition leaves as it was is not reported again. */
function add({ code, severity, path, message }: Finding, faults: RulesetFaults, reported: Set<string>): void {
  const text = `${code} ${message}`;
  if (reported.has(text)) return;
  reported.add(text);
  if (severity === 'fault') faults.add(code, path, message);
  else faults.warn(code, path, message);
}

function isSame(one: OwnRules, other: OwnRules): boolean {
  return canonicalJson({ ...one, edition: null }) === canonicalJson({ ...other, edition: null });
}

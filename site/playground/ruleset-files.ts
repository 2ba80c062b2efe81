import dated from '../../machines/rulesets/2026-09.ruleset.yaml?raw';
import announced from '../../machines/rulesets/announced.ruleset.yaml?raw';
import seed from '../../machines/rulesets/seed.ruleset.yaml?raw';
import passkey90Days from '../../rulesets/passkey-90-days.ruleset.yaml?raw';
import passkeyByEcosystem from '../../rulesets/passkey-by-ecosystem.ruleset.yaml?raw';
import passkeyWeek from '../../rulesets/passkey-week.ruleset.yaml?raw';
import pilotOffices from '../../rulesets/pilot-offices.ruleset.yaml?raw';
import secondFactorDeadline from '../../rulesets/second-factor-deadline.ruleset.yaml?raw';

/** Files of the built-in rulesets by id. */
export const builtInTexts: ReadonlyMap<string, string> = new Map([
  ['seed', seed],
  ['2026-09', dated],
  ['announced', announced],
]);

/** Files of the examples by id. */
export const exampleTexts: ReadonlyMap<string, string> = new Map([
  ['passkey-week', passkeyWeek],
  ['passkey-by-ecosystem', passkeyByEcosystem],
  ['passkey-90-days', passkey90Days],
  ['second-factor-deadline', secondFactorDeadline],
  ['pilot-offices', pilotOffices],
]);

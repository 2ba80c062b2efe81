import type { Scenario } from '../../scenario/scenario.ts';

/** Lists the passwords and codes of the scenarios' users. */
export function listSecrets(scenarios: readonly Scenario[]): readonly string[] {
  return scenarios.flatMap(({ plan, steps }) => {
    const changed = steps.flatMap(({ kind, say }) => (kind === 'setUser' ? [say] : []));
    return [...plan.users, ...changed].flatMap(({ password, code }) =>
      [password, code].filter((secret) => typeof secret === 'string'),
    );
  });
}

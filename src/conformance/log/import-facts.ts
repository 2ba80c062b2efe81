import { toDeclaredValue } from '../../../machines/declared-value.ts';
import type { FactValues, OwnTenant } from '../../../machines/own/own-facts.ts';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import type { Definitions } from '../../contract/declared-values.ts';
import { decodeAttempt } from '../../replay/attempt-code.ts';
import { ImportedOwnFacts } from '../../replay/compare/imported-own-facts.ts';
import type { UserEvent } from '../model/log-event.ts';
import type { LogFacts, OwnGiven } from '../own/log-facts.ts';
import { listAttemptPaths } from '../own/unknown-facts.ts';

/** Facts of a user that an import states at most for its end. */
const userPaths = ['user.type', 'user.groups', 'user.methods', 'user.passkeys', 'user.mfaCapable'];

/** Policy of an import from a time on. */
export interface ImportedPolicy {
  readonly fromMs: number | null;
  readonly tenant: Pick<TenantFacts, 'facts' | 'settings'>;
}

/**
 * Reads the facts of a ruleset from an import: those whose columns it has kept, system and browser of a sign-in, and the
 * facts of the tenant in its policies. Everything else is unknown, and can change without an event.
 */
export class ImportFacts implements LogFacts {
  readonly initialUser = {};
  readonly isChanging = true;
  readonly #ruleset: OwnRuleset;
  readonly #columns: ImportedOwnFacts;
  readonly #policies: readonly ImportedPolicy[];
  readonly #attemptPaths: readonly string[];
  /** Facts that the rules read and no sign-in so far has stated. */
  readonly #unstated: Set<string>;

  /** Creates the reader. `columns` are those that the import has kept. */
  constructor(ruleset: OwnRuleset, columns: readonly (string | null)[], policies: readonly ImportedPolicy[]) {
    this.#ruleset = ruleset;
    this.#columns = new ImportedOwnFacts(ruleset, columns);
    const convert = (values: FactValues = {}, definitions: Definitions): FactValues =>
      Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) => {
          const definition = definitions[name];
          return definition === undefined ? [] : [[name, toDeclaredValue(value, definition)] as const];
        }),
      );
    this.#policies = policies.map(({ fromMs, tenant: { facts, settings } }) => ({
      fromMs,
      tenant: {
        facts: convert(facts, ruleset.facts.tenant),
        settings: convert(settings, ruleset.first.settings),
      },
    }));
    this.#attemptPaths = listAttemptPaths(ruleset);
    const rules = JSON.stringify([ruleset.first, ruleset.editions]);
    const paths = [...this.#attemptPaths, ...this.listUnknownAtStart()];
    this.#unstated = new Set(paths.filter((path) => rules.includes(JSON.stringify(path))).toSorted());
  }

  /** Returns the facts that a sign-in states. */
  read({ imported, lo }: UserEvent): OwnGiven {
    const { facts = {}, settings = {} } =
      this.#policies.findLast(({ fromMs }) => (fromMs ?? Number.NEGATIVE_INFINITY) <= lo)?.tenant ?? {};
    if (imported === undefined) {
      return { tenant: { facts, settings }, user: { facts: {} }, attempt: { patch: {}, facts: {} } };
    }
    const { os, browser } = decodeAttempt(imported.code);
    const deviceId = imported.device === 0 ? {} : { deviceId: `device-${imported.device}` };
    const { texts } = imported;
    return {
      tenant: { facts: { ...facts, ...this.#columns.read('tenant', texts) }, settings },
      user: { facts: this.#columns.read('user', texts) },
      attempt: { patch: { os, browser, ...deviceId }, facts: this.#columns.read('attempt', texts) },
    };
  }

  /** Returns the tenant with the facts that a sign-in states. */
  tenant(before: OwnTenant, { tenant: { facts, settings } }: OwnGiven): OwnTenant {
    return { ...before, facts: { ...before.facts, ...facts }, settings: { ...before.settings, ...settings } };
  }

  /** Lists the facts of a sign-in that it does not state. */
  listUnknown(event: UserEvent): readonly string[] {
    const { tenant, user, attempt } = this.read(event);
    const { os, browser } = attempt.patch;
    const known = new Set(Object.keys(attempt.facts).map((name) => `attempt.facts.${name}`));
    if (os !== undefined && os !== 'unknown') for (const path of ['os', 'ecosystem']) known.add(`attempt.${path}`);
    if (browser !== undefined && browser !== null) known.add('attempt.browser');
    if (attempt.patch.deviceId !== undefined) known.add('attempt.deviceId');
    if (known.has('attempt.browser') && known.has('attempt.deviceId')) known.add('attempt.browserId');
    this.#note(known, tenant.facts, user.facts);
    return this.#attemptPaths.filter((path) => !known.has(path));
  }

  /** Lists the facts that the rules read and no sign-in so far has stated. */
  listUnstated(): readonly string[] {
    return [...this.#unstated];
  }

  #note(attempt: Iterable<string>, tenant: FactValues, user: FactValues): void {
    if (this.#unstated.size === 0) return;
    for (const path of attempt) this.#unstated.delete(path);
    for (const name of Object.keys(tenant)) this.#unstated.delete(`tenant.facts.${name}`);
    for (const name of Object.keys(user)) this.#unstated.delete(`user.facts.${name}`);
  }

  /** Lists the facts of tenant and user that are unknown before the first sign-in. */
  listUnknownAtStart(): readonly string[] {
    const { facts } = this.#ruleset;
    return [
      ...userPaths,
      ...Object.keys(facts.user).map((name) => `user.facts.${name}`),
      ...Object.keys(facts.tenant).map((name) => `tenant.facts.${name}`),
    ];
  }
}

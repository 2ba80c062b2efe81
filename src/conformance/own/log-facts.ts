import type { FactValues, OwnTenant, OwnUser } from '../../../machines/own/own-facts.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
import type { UserEvent } from '../model/log-event.ts';

/** Values of facts that a log states for a sign-in under one ruleset. */
export interface OwnGiven {
  readonly tenant: { readonly facts: FactValues; readonly settings: FactValues };
  readonly user: Partial<Omit<OwnUser, 'facts'>> & { readonly facts: FactValues };
  readonly attempt: { readonly patch: AttemptPatch; readonly facts: FactValues };
}

/** Reads what a log states of the facts of a ruleset, and what it leaves unknown. */
export interface LogFacts {
  /** Facts that a user has before the first event, besides the defaults. */
  readonly initialUser: Partial<Omit<OwnUser, 'facts'>>;
  /** True if unknown facts of a user can change without an event of the log. */
  readonly isChanging: boolean;
  /** Returns the facts that an event states. */
  read: (event: UserEvent) => OwnGiven;
  /** Returns the tenant with the facts that an event states. */
  tenant: (before: OwnTenant, given: OwnGiven) => OwnTenant;
  /** Lists the paths of the facts of a sign-in that an event leaves unknown, for a user with an unknown past. */
  listUnknown: (event: UserEvent) => readonly string[];
  /** Lists the paths of the facts that the rules read, and that no event so far has stated and no default decides. */
  listUnstated: () => readonly string[];
  /** Lists the paths of the facts of tenant and user that are unknown before the first event of such a user. */
  listUnknownAtStart: () => readonly string[];
}

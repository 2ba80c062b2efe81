import type { OwnFacts } from '../../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser, type OpenOwnPrompt } from '../../../machines/own/own-state.ts';
import { capPasskeys } from '../../forecast/own/ledger-entries.ts';
import { journeyUser } from '../../generate/own/own-journey.ts';
import type { OwnSession } from '../../scenario/own/own-session.ts';
import type { FactScalar } from '../language/formula.ts';
import { type FactPaths, readPaths } from './fact-paths.ts';

/** Facts of one state by name. */
export type StateFacts = Readonly<Record<string, FactScalar>>;

/** What the facts of a state are read by. */
export interface FactReading {
  readonly ruleset: OwnRuleset;
  readonly paths: FactPaths;
  /** Counts above this are one value, and so are numbers of passkeys of one type. */
  readonly countMax: number;
}

/**
 * Reads the facts of a session that properties can name. What the ledger keeps is that of the device and browser of the
 * latest sign-in. Instants are `past`, `now` or `future`.
 */
export function readStateFacts({ ruleset, paths, countMax }: FactReading, session: OwnSession): StateFacts {
  const { nowMs } = session;
  const { state, prompt } = session.memory;
  const { state: status, snoozes, nextPromptAtMs } = session.status(journeyUser);
  const { user, prompts } = getOwnUser(state, journeyUser);
  const open = prompts.find(({ id }) => id === prompt);
  // A user who is prompted again and again would have a new state with each passkey.
  const passkeys = capPasskeys(user.passkeys, countMax);
  return {
    state: status,
    page: open === undefined ? null : getPage(open),
    promptRequired: open?.required ?? null,
    snoozes: Math.min(snoozes, countMax),
    waiting: nextPromptAtMs !== null && nextPromptAtMs > nowMs,
    edition: state.edition,
    // The facts of a state are those of the tenant and the user alone.
    ...readPaths(
      paths.ofState,
      { tenant: state.tenant, user: { ...user, passkeys } } as OwnFacts,
      rulesAt(ruleset, nowMs),
      nowMs,
    ),
  };
}

function getPage({ leftAtMs, phase, required }: OpenOwnPrompt): string {
  if (leftAtMs !== null) return 'closed';
  if (phase === 'offered') return required ? 'required' : 'prompt';
  return phase === 'error' ? 'error-screen' : 'setup';
}

import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { JourneySlice } from '../../../src/journal/journeys/export-journey.ts';
import { rememberOwnRuleset } from '../../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox, type SandboxInput, type SignInView } from '../../../src/sandbox/sandbox.ts';
import { readOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';
import { rulesetText } from '../../scenario/rulesets/ruleset-text.ts';
import { journeyText } from '../journey-text.ts';

/** Reads a ruleset with other lines than the usual one. */
export function readOwn(id: string, changes: Readonly<Record<string, string>> = {}): OwnRuleset {
  const text = rulesetText({ ruleset: `ruleset: ${id}`, ...changes });
  const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
  if (ruleset === null) throw new Error(`The ruleset has faults: ${JSON.stringify(faults)}`);
  return ruleset;
}

/** Actions of a recorded history. */
export interface RecordedSandbox {
  readonly sandbox: Sandbox;
  /** Signs a user in and returns the id of the sign-in. */
  signIn(user: string, attempt?: object): Promise<string>;
  /** Signs a user in and skips the prompt, if one is shown. */
  signInAndSkip(user: string, attempt?: object): Promise<void>;
}

/** Performs actions in a sandbox with an own campaign, and returns the journey as text. */
export async function recordOwn(
  ruleset: OwnRuleset,
  work: (recorded: RecordedSandbox) => Promise<void>,
  input: SandboxInput = {},
  slice: JourneySlice = {},
): Promise<string> {
  rememberOwnRuleset(ruleset);
  const users = [{ id: 'ada', groups: ['sales'] }, { id: 'ben' }];
  const sandbox = await Sandbox.create('default', planSandbox({ ruleset: ruleset.id, users, ...input }), inMemory());
  const enter = async (user: string, attempt: object = {}): Promise<SignInView> => {
    const { id } = await sandbox.signIns.start(user, attempt);
    await sandbox.signIns.acceptPassword(id);
    return sandbox.signIns.completeMfa(id);
  };
  await work({
    sandbox,
    signIn: async (user, attempt) => (await enter(user, attempt)).id,
    signInAndSkip: async (user, attempt) => {
      const { id, screen } = await enter(user, attempt);
      if (screen === 'prompt') await sandbox.signIns.skip(id);
    },
  });
  return journeyText(await sandbox.journal({ after: 0, limit: 10_000 }), slice);
}

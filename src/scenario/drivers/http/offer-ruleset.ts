import type { ControlClient } from '../../../client/control-client.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { findOffered } from '../../rulesets/offered-ruleset.ts';

/**
 * Makes sure that a server has the ruleset of a scenario: it has it already, or it accepts it as data (OC46).
 *
 * @param control - client of the server
 * @param id - id of the ruleset
 * @throws NudgeLabError `driver-failed` if the server has another ruleset with the id, or accepts none
 */
export async function offerRuleset(control: ControlClient, id: string): Promise<void> {
  const offered = findOffered(id);
  if (offered === null || (await findDigest(control, id)) === offered.digest) return;
  try {
    await control.createRuleset({ body: { ...offered.data, ruleset: id } });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('driver-failed', {
      message: `The server does not have the ruleset ${id} of the scenario. Start it with --ruleset and the file, or with --allow-rulesets: ${reason}`,
      cause,
    });
  }
}

/** Returns the digest of a ruleset at the server, or `null` if the server does not have it. */
async function findDigest(control: ControlClient, id: string): Promise<string | null> {
  try {
    return (await control.getRuleset({ ruleset: id })).digest;
  } catch {
    return null;
  }
}

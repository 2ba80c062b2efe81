import { NudgeLabError } from '../../core/errors.ts';
import { LruMap } from '../../core/lru-map.ts';
import { type LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { type AnyRuleset, readDataRuleset } from './read-ruleset.ts';
import { parseRulesetText } from './ruleset-text.ts';
import type { SentRuleset } from './sent-ruleset.ts';

/** Maximum number of rulesets that a worker keeps compiled. */
const keptMax = 64;

/** Rulesets of a worker: those of the jobs, and those of its own files for rulesets with gate modules. */
export class SentRulesets {
  readonly #files: Pick<RulesetRegistry, 'find'>;
  readonly #kept = new LruMap<string, AnyRuleset>({ max: keptMax });

  /** Creates the rulesets of a worker with the rulesets of its files. */
  constructor(files: Pick<RulesetRegistry, 'find'>) {
    this.#files = files;
  }

  /**
   * Makes the ruleset of a job known to the sandboxes of this process. A ruleset that is data is read again; one with gate
   * modules is found among the files of the worker.
   *
   * @param sent - ruleset of the job
   * @returns the ruleset, with the digest of the sender
   * @throws NudgeLabError `ruleset-digest-differs` if the worker does not have the same file and modules
   * @throws NudgeLabError `ruleset-invalid` if the data has faults, which no ruleset of a sender has
   */
  receive(sent: SentRuleset): LoadedRuleset {
    if (sent.text === null) return this.#find(sent);
    const { digest } = sent;
    const read = this.#kept.get(digest) ?? readSent(sent.id, sent.text);
    this.#kept.set(digest, read);
    const registry = new RulesetRegistry();
    // The data contains the keys of the bases, so only the sender knows the digest that the files have.
    return read.base === 'own'
      ? registry.add({ ...read.ruleset, digest }, sentOrigin, read.data)
      : registry.addCampaign({ ...read.ruleset, digest }, sentOrigin, read.data);
  }

  #find({ id, digest }: SentRuleset): LoadedRuleset {
    const loaded = this.#files.find(id);
    if (loaded?.digest === digest && loaded.base === 'own') {
      return new RulesetRegistry().add(loaded.ruleset, loaded.origin);
    }
    const known = loaded === undefined ? 'does not have it' : `has the digest ${loaded.digest}`;
    throw new NudgeLabError('ruleset-digest-differs', {
      message: `The ruleset "${id}" with gate modules has the digest ${digest}, and the worker ${known}.`,
    });
  }
}

/** Origin of rulesets that a job carried. */
const sentOrigin = 'job';

function readSent(id: string, text: string): AnyRuleset {
  const { read, faults } = readDataRuleset(parseRulesetText(id, text), { find: () => null, ids: () => [] });
  if (read !== null) return read;
  const problems = faults.map(({ code, location, message }) => ({ location, message: `${code} ${message}` }));
  throw new NudgeLabError('ruleset-invalid', { problems });
}

import { listAtoms, listConditions } from '../../../machines/own/list-conditions.ts';
import type { FactValue, OwnDuration, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { toInstant } from '../../core/clock.ts';
import { type RandomSource, randomSource } from '../../core/random.ts';
import { OwnSession } from '../../scenario/own/own-session.ts';
import { type JourneyStep, journeyUser, type OwnJourney, planJourney, writtenFacts } from './own-journey.ts';
import { allRules, listFactors, type SpaceFactor } from './own-space.ts';

const stepsMax = 14;

/** Times of a ruleset that steps of a journey aim at. */
export interface AimedTimes {
  readonly durations: readonly number[];
  /** Numbers of calendar months. */
  readonly months: readonly number[];
  readonly instants: readonly number[];
}

/** Creates seeded journeys that aim at the boundaries of a ruleset. */
export class JourneyMaker {
  readonly #ruleset: OwnRuleset;
  readonly #factors: readonly SpaceFactor[];
  readonly #times: AimedTimes;
  readonly #devices: readonly string[];
  #share = 0;

  /** Creates the source of the journeys of a ruleset. */
  constructor(ruleset: OwnRuleset) {
    this.#ruleset = ruleset;
    this.#factors = listFactors(ruleset);
    this.#times = listTimes(ruleset);
    const parts = allRules(ruleset).flatMap(({ ledger }) => ledger.keys.flat());
    this.#devices = parts.some((part) => part === 'device' || part === 'browser')
      ? ['device-1', 'device-2']
      : ['device-1'];
  }

  /** Returns the journey of a random seed. Its steps are possible on the ruleset itself. */
  make(seed: number): OwnJourney {
    const random = randomSource(seed);
    // Some journeys change many facts of a sign-in at once, so that several gates stop it.
    this.#share = seed % 3 === 0 ? 0.5 : 0.15;
    const given = this.#assign(random, ['tenant', 'user'], 0.3);
    const draft: OwnJourney = { name: `Journey ${seed}`, given, steps: [] };
    const session = new OwnSession(planJourney(this.#ruleset, draft));
    const steps: JourneyStep[] = [];
    let page: string | undefined;
    let hasSignedIn = false;
    while (steps.length < stepsMax) {
      const step = this.#next(random, page, hasSignedIn);
      try {
        const [planned] = planJourney(this.#ruleset, { ...draft, steps: [step] }).steps;
        if (planned === undefined) break;
        const seen = session.perform(planned);
        page = seen.page ?? ('advance' in step || 'setClock' in step ? undefined : page);
        steps.push(step);
        hasSignedIn ||= 'signIn' in step;
      } catch {
        page = undefined;
      }
    }
    return { ...draft, steps };
  }

  #next(random: RandomSource, page: string | undefined, hasSignedIn: boolean): JourneyStep {
    if (!hasSignedIn) return this.#signIn(random);
    if (page === 'prompt' || page === 'required') return this.#act(random);
    if (page === 'error-screen') return random() < 0.7 ? { skipError: {} } : { register: {} };
    const draw = random();
    if (draw < 0.5) return this.#signIn(random);
    if (draw < 0.85) return this.#moveClock(random);
    return this.#change(random);
  }

  #act(random: RandomSource): JourneyStep {
    const answers = [...new Set(allRules(this.#ruleset).flatMap((rules) => Object.keys(rules.answers)))].filter(
      (id) => id !== 'close' && id !== 'expire' && id !== 'next',
    );
    const draw = random();
    if (draw < 0.55) return { skip: { answer: this.#pick(random, answers) ?? 'skip' } };
    if (draw < 0.65) return { register: {} };
    if (draw < 0.75) return { failRegistration: {} };
    if (draw < 0.85) return { closeBrowser: {} };
    return draw < 0.92 ? { next: {} } : { advance: { minutes: 20 } };
  }

  #signIn(random: RandomSource): JourneyStep {
    const values = this.#assign(random, ['attempt'], this.#share);
    const { facts, fixed } = writtenFacts(this.#ruleset, values, 'attempt');
    const device = this.#pick(random, this.#devices);
    return {
      signIn: {
        user: journeyUser,
        ...fixed,
        ...(this.#devices.length > 1 ? { deviceId: device } : {}),
        ...(random() < 0.3 ? { session: 'same' } : {}),
        ...(Object.keys(facts).length === 0 ? {} : { facts }),
      },
    };
  }

  #moveClock(random: RandomSource): JourneyStep {
    const { durations, instants } = this.#times;
    if (instants.length > 0 && random() < 0.4) {
      const atMs = this.#pick(random, instants) ?? 0;
      return { setClock: toInstant(atMs + (this.#pick(random, [-1, 0, 1]) ?? 0)) };
    }
    const ms = this.#pick(random, [...durations, 86_400_000, 900_000]) ?? 0;
    const shifted = ms + (this.#pick(random, [-1, 0, 0, 1]) ?? 0);
    return { advance: { ms: Math.max(1, shifted) } };
  }

  #change(random: RandomSource): JourneyStep {
    const draw = random();
    const owner = draw < 0.3 ? 'tenant' : 'user';
    if (draw < 0.6) {
      const { facts, settings, fixed } = writtenFacts(this.#ruleset, this.#assign(random, [owner], 0.4), owner);
      const some = (values: object, key: string) => (Object.keys(values).length === 0 ? {} : { [key]: values });
      if (owner === 'tenant') return { setTenant: { ...some(facts, 'facts'), ...some(settings, 'settings') } };
      return { setUser: { user: journeyUser, ...fixed, ...some(facts, 'facts') } };
    }
    if (draw < 0.75) return { clearBrowser: { user: journeyUser } };
    if (draw < 0.9) return { removeMethod: { user: journeyUser, method: 'fido2' } };
    return { resetLedger: { user: journeyUser } };
  }

  #assign(random: RandomSource, owners: readonly string[], share: number): ReadonlyMap<string, FactValue> {
    const values = new Map<string, FactValue>();
    for (const factor of this.#factors) {
      if (!owners.includes(factor.owner) || random() >= share) continue;
      const value = this.#pick(random, factor.values);
      if (value !== undefined) values.set(factor.path, value);
    }
    return values;
  }

  #pick<T>(random: RandomSource, list: readonly T[]): T | undefined {
    return list[Math.floor(random() * list.length)];
  }
}

/** Lists the durations and instants that a ruleset compares with. */
export function listTimes(ruleset: OwnRuleset): AimedTimes {
  const durations = new Set<number>();
  const months = new Set<number>();
  const instants = new Set<number>(ruleset.editions.map(({ fromMs }) => fromMs));
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { constant, setting } = value as { readonly constant?: OwnDuration | number; readonly setting?: string };
    const given = setting === undefined ? constant : ruleset.first.settings[setting]?.default;
    if (typeof given === 'object' && given !== null && 'ms' in given) {
      const { ms, months: units } = given as OwnDuration;
      durations.add(ms + units * 30 * 86_400_000);
      if (units > 0) months.add(units);
    } else if (typeof given === 'number') (given > instantsFromMs ? instants : durations).add(given);
  };
  for (const rules of allRules(ruleset)) {
    durations.add(rules.lifetimeMs);
    for (const operand of rules.cadence.durations) add(operand);
    for (const answer of Object.values(rules.answers)) add(answer.for);
    for (const end of rules.deadline?.ends ?? []) add('at' in end ? end.at : end.after);
    add(rules.deadline?.opens);
    for (const { value } of listConditions(rules).flatMap(listAtoms)) add(value);
    for (const { fromMs } of rules.rollout?.steps ?? []) instants.add(fromMs);
  }
  const useful = [...durations].filter((ms) => ms > 0 && ms < instantsFromMs / 2);
  return { durations: useful, months: [...months], instants: [...instants].filter((atMs) => atMs > instantsFromMs) };
}

/** Numbers above this one are instants: the start of the year 2000. */
const instantsFromMs = 946_684_800_000;

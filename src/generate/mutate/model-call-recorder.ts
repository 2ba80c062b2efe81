import { effectiveCampaign } from '../../../machines/effective-campaign.ts';
import type { Facts, Ruleset } from '../../../machines/vocabulary.ts';
import { type ModelObserver, type ModelStepFrom, SandboxModel, shippedModel } from '../../sandbox/sandbox.ts';
import type { FaultyPart, ModelMutant } from './model-mutant.ts';

type Part = 'evaluator' | 'nudge' | 'signIn' | 'campaign';

/** One thing that a model was asked: a evaluation of facts, or a step of one of its machines. */
type Asked =
  | { readonly part: 'evaluator'; readonly facts: Facts; readonly ruleset: string }
  | {
      readonly part: 'nudge' | 'signIn' | 'campaign';
      readonly from: ModelStepFrom;
      readonly event: { readonly type: string };
    };

/**
 * Everything that the model was asked in some runs, each question once, and by which run. A run in which no question is answered
 * otherwise goes the same way, so that a mutant needs only the runs in which one is.
 */
export class ModelCallRecorder implements ModelObserver {
  /** The model of the specification, which writes into this book. */
  readonly model = new SandboxModel({ observer: this });
  readonly #asked: Asked[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #original = new Map<number, string>();
  #run = new Set<number>();

  /** Begins a run; returns the numbers of what is asked until the next one begins, as it fills. */
  begin(): ReadonlySet<number> {
    this.#run = new Set();
    return this.#run;
  }

  evaluating(facts: Facts, { id }: Ruleset): void {
    this.#note(`evaluator ${id} ${JSON.stringify(facts)}`, { part: 'evaluator', facts, ruleset: id });
  }

  stepping(
    part: 'nudge' | 'signIn' | 'campaign',
    { value, context }: ModelStepFrom,
    event: { readonly type: string },
  ): void {
    const ruleset = (context as { readonly ruleset?: { readonly id: string } }).ruleset?.id;
    const told = ruleset === undefined ? context : { ...(context as object), ruleset };
    this.#note(`${part} ${JSON.stringify([value, told, event])}`, { part, from: { value, context }, event });
  }

  /** What is answered otherwise by a mutant; `null` where that cannot be told by single questions. */
  answeredOtherwise(mutant: ModelMutant): ReadonlySet<number> | null {
    const part = partOf(mutant.part);
    if (part === null) return null;
    const model = new SandboxModel(mutant.parts);
    const otherwise = new Set<number>();
    for (const [number, asked] of this.#asked.entries()) {
      if (asked.part === part && answer(model, asked) !== this.#originally(number, asked)) otherwise.add(number);
    }
    return otherwise;
  }

  /** Whether a mutant answers one question otherwise. Takes the number of the question, the mutant and its model. */
  isOtherwise(number: number, { part }: ModelMutant, model: SandboxModel): boolean {
    const asked = this.#asked[number];
    return asked?.part === partOf(part) && answer(model, asked) !== this.#originally(number, asked);
  }

  #note(key: string, asked: Asked): void {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#asked.push(asked) - 1;
      this.#numbers.set(key, number);
    }
    this.#run.add(number);
  }

  #originally(number: number, asked: Asked): string {
    const known = this.#original.get(number) ?? answer(shippedModel, asked);
    this.#original.set(number, known);
    return known;
  }
}

/** The part whose questions tell a fault; the data of a ruleset and the limits are read in more places than questions show. */
function partOf(part: FaultyPart): Part | null {
  return part === 'ruleset' || part === 'limits' ? null : part;
}

/** What a model answers, as text; a machine that throws has an answer of its own. */
function answer(model: SandboxModel, asked: Asked): string {
  try {
    if (asked.part === 'evaluator') {
      const ruleset = model.rulesets.get(asked.ruleset) as Ruleset;
      const { outcome, reason, warnings } = model.evaluate(asked.facts, ruleset);
      return JSON.stringify([outcome, reason, warnings, effectiveCampaign(asked.facts.tenant, ruleset)]);
    }
    const { part, from, event } = asked;
    if (part === 'campaign') {
      const { ruleset: _same, ...context } = model.stepCampaign(
        from.value as never,
        from.context as never,
        event as never,
      );
      return JSON.stringify(context);
    }
    const next =
      part === 'nudge'
        ? model.stepNudge(model.nudgeSnapshot(from.value as never, from.context as never), event as never)
        : model.stepSignIn(model.signInSnapshot(from.value as never, from.context as never), event as never);
    return JSON.stringify([next.value, next.context, next.status]);
  } catch (error) {
    return `throws ${error instanceof Error ? error.message : String(error)}`;
  }
}

import { effectiveCampaign } from '../../../machines/effective-campaign.ts';
import type { Facts, Ruleset } from '../../../machines/vocabulary.ts';
import { type ModelObserver, type ModelStepFrom, SandboxModel, shippedModel } from '../../sandbox/sandbox.ts';
import type { FaultyPart, ModelMutant } from './model-mutant.ts';

type Part = 'evaluator' | 'nudge' | 'signIn' | 'campaign';

/** Recorded model call: an evaluation of facts, or a step of one of its machines. */
type ModelCall =
  | { readonly part: 'evaluator'; readonly facts: Facts; readonly ruleset: string }
  | {
      readonly part: 'nudge' | 'signIn' | 'campaign';
      readonly from: ModelStepFrom;
      readonly event: { readonly type: string };
    };

/**
 * Records the distinct model calls of several runs, and the runs that made them. A run in which every call returns the
 * same result takes the same course, so a mutant needs only the runs with a different result.
 */
export class ModelCallRecorder implements ModelObserver {
  /** Model of the specification that reports its calls to this recorder. */
  readonly model = new SandboxModel({ observer: this });
  readonly #calls: ModelCall[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #original = new Map<number, string>();
  #run = new Set<number>();

  /** Starts a run and returns the live set of its call numbers, which grows until the next run starts. */
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
    const described = ruleset === undefined ? context : { ...(context as object), ruleset };
    this.#note(`${part} ${JSON.stringify([value, described, event])}`, { part, from: { value, context }, event });
  }

  /** Lists the calls for which a mutant has another result; `null` if single calls cannot show its fault. */
  answeredOtherwise(mutant: ModelMutant): ReadonlySet<number> | null {
    const part = findPart(mutant.part);
    if (part === null) return null;
    const model = new SandboxModel(mutant.parts);
    const otherwise = new Set<number>();
    for (const [number, call] of this.#calls.entries()) {
      if (call.part === part && answer(model, call) !== this.#originally(number, call)) otherwise.add(number);
    }
    return otherwise;
  }

  /** Checks whether a mutant returns another result for one recorded call. */
  isOtherwise(number: number, { part }: ModelMutant, model: SandboxModel): boolean {
    const call = this.#calls[number];
    return call?.part === findPart(part) && answer(model, call) !== this.#originally(number, call);
  }

  #note(key: string, call: ModelCall): void {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#calls.push(call) - 1;
      this.#numbers.set(key, number);
    }
    this.#run.add(number);
  }

  #originally(number: number, call: ModelCall): string {
    const known = this.#original.get(number) ?? answer(shippedModel, call);
    this.#original.set(number, known);
    return known;
  }
}

/** Returns the model part whose calls show a fault. Ruleset data and limits are also read outside of these calls. */
function findPart(part: FaultyPart): Part | null {
  return part === 'ruleset' || part === 'limits' ? null : part;
}

/** Returns the result of a model call as text; a machine that throws has a distinct result. */
function answer(model: SandboxModel, call: ModelCall): string {
  try {
    if (call.part === 'evaluator') {
      const ruleset = model.rulesets.get(call.ruleset) as Ruleset;
      const { outcome, reason, warnings } = model.evaluate(call.facts, ruleset);
      return JSON.stringify([outcome, reason, warnings, effectiveCampaign(call.facts.tenant, ruleset)]);
    }
    const { part, from, event } = call;
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

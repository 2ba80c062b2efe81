import type { Step } from '../contract/scenario.schema.ts';
import { answersPrompt, findPromptName, findUser } from './step-check.ts';

/** Whom the steps of a scenario are about, one after the other: expectations about the nudge status are about this user. */
export class StepUsers {
  readonly #userIds = new Map<string, string>();
  #latestSignInUserId: string | null = null;
  #userId: string | null = null;

  /** The user of the step before: the one it names, the one of the prompt that it answers, or the one before that. */
  get current(): string | null {
    return this.#userId;
  }

  /** Takes the next step. Returns its user, `null` while no step has named one. */
  follow(step: Step): string | null {
    this.#userId = this.#userOf(step);
    return this.#userId;
  }

  #userOf(step: Step): string | null {
    const named = findUser(step);
    if (step.kind === 'signIn') {
      this.#latestSignInUserId = step.say.user;
      this.#userIds.set(step.say.as ?? step.say.user, step.say.user);
    }
    if (named !== undefined) return named;
    if (!answersPrompt(step) && step.kind !== 'signOut') return this.#userId;
    const tab = findPromptName(step);
    return tab === undefined ? this.#latestSignInUserId : (this.#userIds.get(tab) ?? null);
  }
}

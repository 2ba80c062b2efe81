import type { Step } from '../contract/scenario.schema.ts';
import { answersPrompt, findPromptName, findUser } from './step-check.ts';

/** Tracks the user of each step in a scenario. Expectations about the nudge status refer to this user. */
export class StepUsers {
  readonly #userIds = new Map<string, string>();
  #latestSignInUserId: string | null = null;
  #userId: string | null = null;

  /** Returns the user of the last step: the user it names, the user of its prompt, or the user of the step before. */
  get current(): string | null {
    return this.#userId;
  }

  /** Advances to the next step and returns its user, or `null` if no step has named one yet. */
  follow(step: Step): string | null {
    this.#userId = this.#findUser(step);
    return this.#userId;
  }

  #findUser(step: Step): string | null {
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

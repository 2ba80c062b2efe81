import type { OwnComparison, VerdictSummary } from '../../contract/comparison.schema.ts';

/** Maximum number of listed users. Further users are only counted. */
const listedUsersMax = 200;

type ChangedUser = OwnComparison['changedUsers'][number];

/** Counts what the usual totals of a comparison lack: blocked sign-ins, and the changes of each user. */
export class OwnChanges {
  readonly #users = new Map<string, ChangedUser>();
  readonly #newlyBlocked = { certain: 0, assumed: 0 };
  readonly #noLongerBlocked = { certain: 0, assumed: 0 };

  /** Counts an attempt of a user. */
  add(user: string, before: VerdictSummary, after: VerdictSummary, isCertain: boolean): void {
    if (before.outcome === after.outcome && before.reason === after.reason && before.rule === after.rule) return;
    const side = isCertain ? 'certain' : 'assumed';
    const isNewlyBlocked = before.outcome !== 'blocked' && after.outcome === 'blocked';
    if (isNewlyBlocked) this.#newlyBlocked[side] += 1;
    if (before.outcome === 'blocked' && after.outcome !== 'blocked') this.#noLongerBlocked[side] += 1;
    const known = this.#users.get(user) ?? unchanged(user);
    const [wasPrompted, isPrompted] = [isPrompt(before), isPrompt(after)];
    this.#users.set(user, {
      user,
      changed: known.changed + 1,
      newlyPrompted: known.newlyPrompted + (!wasPrompted && isPrompted ? 1 : 0),
      noLongerPrompted: known.noLongerPrompted + (wasPrompted && !isPrompted ? 1 : 0),
      newlyRequired: known.newlyRequired + (before.outcome !== 'required' && after.outcome === 'required' ? 1 : 0),
      newlyBlocked: known.newlyBlocked + (isNewlyBlocked ? 1 : 0),
      certain: known.certain && isCertain,
    });
  }

  /** Returns all counts. */
  report(): Omit<OwnComparison, 'defaults' | 'blockedAtNextSignIn'> {
    const users = [...this.#users.values()].toSorted((a, b) => (a.user < b.user ? -1 : 1));
    return {
      newlyBlocked: this.#newlyBlocked,
      noLongerBlocked: this.#noLongerBlocked,
      usersNewlyBlocked: users.filter(({ newlyBlocked }) => newlyBlocked > 0).length,
      changedUsers: users.slice(0, listedUsersMax),
      changedUsersOmitted: Math.max(0, users.length - listedUsersMax),
    };
  }
}

function isPrompt({ outcome }: VerdictSummary): boolean {
  return outcome === 'skippable' || outcome === 'required';
}

function unchanged(user: string): ChangedUser {
  return {
    user,
    changed: 0,
    newlyPrompted: 0,
    noLongerPrompted: 0,
    newlyRequired: 0,
    newlyBlocked: 0,
    certain: true,
  };
}

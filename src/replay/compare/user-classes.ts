import { comparableId } from '../../../machines/membership.ts';
import type { Passkey, TargetedMethod, TenantFacts, UserFacts } from '../../../machines/vocabulary.ts';

/** A user without what only he has: users of one class are evaluated alike. */
export type ClassFacts = Omit<UserFacts, 'snooze'>;

/** Users by what rules can tell apart of them; who is a target by his id is a class of his own. */
export class UserClasses {
  readonly facts: ClassFacts[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #targeted: ReadonlySet<string>;
  readonly #registered = new Map<string, number>();

  /** Takes the policies whose targets may name users. */
  constructor(tenants: readonly TenantFacts[]) {
    this.#targeted = new Set(tenants.flatMap(userTargets).map(comparableId));
  }

  /** Whether a policy names users, so that they have to be told apart by their ids. */
  get namesUsers(): boolean {
    return this.#targeted.size > 0;
  }

  /** Whether a policy names this user. */
  isTarget(id: string): boolean {
    return this.#targeted.has(comparableId(id));
  }

  /** The class of a user. */
  of(user: ClassFacts): number {
    const id = this.isTarget(user.id) ? user.id : 'user';
    const key = JSON.stringify([id, user.type, user.groups, user.methods, user.passkeys, user.mfaCapable]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.facts.push({ ...user, id });
    this.#numbers.set(key, this.facts.length - 1);
    return this.facts.length - 1;
  }

  /** The class of a user after he has registered what was asked for, on the device that he uses. */
  registered(number: number, method: TargetedMethod, passkey: Passkey): number {
    const key = `${number} ${method} ${method === 'fido2' ? `${passkey.type} ${passkey.deviceId}` : ''}`;
    const known = this.#registered.get(key);
    if (known !== undefined) return known;
    const next = this.of(withMethod(this.at(number), method, passkey));
    this.#registered.set(key, next);
    return next;
  }

  /** The facts of a class. */
  at(number: number): ClassFacts {
    const found = this.facts[number];
    if (found === undefined) throw new RangeError(`No class has the number ${number}.`);
    return found;
  }
}

function withMethod(user: ClassFacts, method: TargetedMethod, passkey: Passkey): ClassFacts {
  if (method === 'fido2') return { ...user, passkeys: [...user.passkeys, passkey] };
  return user.methods.includes('authenticator-push')
    ? user
    : { ...user, methods: [...user.methods, 'authenticator-push'] };
}

function userTargets({ campaign, methodsPolicy: { authenticator, fido2 } }: TenantFacts): readonly string[] {
  return [campaign, authenticator, fido2].flatMap(({ includeTargets, excludeTargets }) =>
    [...includeTargets, ...excludeTargets].flatMap(({ targetType, id }) => (targetType === 'user' ? [id] : [])),
  );
}

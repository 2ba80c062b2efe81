import { comparableId } from '../../../machines/membership.ts';
import type { Passkey, TargetedMethod, TenantFacts, UserFacts } from '../../../machines/vocabulary.ts';

/** User facts without individual values; the rules evaluate all users of a class alike. */
export type ClassFacts = Omit<UserFacts, 'snooze'>;

/** Groups users by the facts that rules distinguish; a user who is a target by id has a separate class. */
export class UserClasses {
  readonly facts: ClassFacts[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #targeted: ReadonlySet<string>;
  readonly #registered = new Map<string, number>();

  /** Creates the classes for the policies, whose targets can name users. */
  constructor(tenants: readonly TenantFacts[]) {
    this.#targeted = new Set(tenants.flatMap(userTargets).map(comparableId));
  }

  /** `true` if a policy names users, so their ids matter. */
  get namesUsers(): boolean {
    return this.#targeted.size > 0;
  }

  /** Returns `true` if a policy names this user. */
  isTarget(id: string): boolean {
    return this.#targeted.has(comparableId(id));
  }

  /** Returns the class of a user. */
  of(user: ClassFacts): number {
    const id = this.isTarget(user.id) ? user.id : 'user';
    const key = JSON.stringify([id, user.type, user.groups, user.methods, user.passkeys, user.mfaCapable]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.facts.push({ ...user, id });
    this.#numbers.set(key, this.facts.length - 1);
    return this.facts.length - 1;
  }

  /** Returns the class of a user after the targeted method is registered on the current device. */
  registered(number: number, method: TargetedMethod, passkey: Passkey): number {
    const key = `${number} ${method} ${method === 'fido2' ? `${passkey.type} ${passkey.deviceId}` : ''}`;
    const known = this.#registered.get(key);
    if (known !== undefined) return known;
    const next = this.of(withMethod(this.at(number), method, passkey));
    this.#registered.set(key, next);
    return next;
  }

  /** Returns the facts of a class. */
  at(number: number): ClassFacts {
    const found = this.facts[number];
    if (found === undefined) throw new RangeError(`Class ${number} does not exist.`);
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

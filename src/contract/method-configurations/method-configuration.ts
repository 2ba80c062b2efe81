/** Target of a method: a user or a group, and the fields of the method. */
export interface MethodTarget {
  readonly targetType: 'user' | 'group';
  readonly id: string;
  readonly isRegistrationRequired: boolean;
  readonly [field: string]: unknown;
}

/** Configuration of a method with the words of the specification and the ids of the facts. */
export interface MethodConfiguration {
  readonly id: string;
  readonly state: 'enabled' | 'disabled';
  readonly includeTargets: readonly MethodTarget[];
  readonly excludeTargets: readonly Pick<MethodTarget, 'targetType' | 'id'>[];
  readonly [field: string]: unknown;
}

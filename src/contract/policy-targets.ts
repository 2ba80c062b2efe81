import { z } from 'zod';
import { allUsersId, comparableId, isAllUsers } from '../../machines/membership.ts';
import { type ExcludeTarget, targetTypes } from '../../machines/vocabulary.ts';
import { policyTargetsMax } from '../core/limits.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import {
  element,
  formatValue,
  type ItemReader,
  list,
  type Reader,
  type Refusals,
  section,
  word,
} from './policy-reader.ts';

/** Returns the id in the facts of an object that a request names in another form, or `undefined`. */
export type ResolveId = (given: string) => string | undefined;

/** Readers of targets, which name users and groups by their ids in the facts or on the wire. */
export interface TargetReaders {
  readonly targetType: Reader<ExcludeTarget['targetType']>;
  /** Id of an object, or of all users. */
  readonly id: Reader<string>;
  readonly excludeTarget: ItemReader<ExcludeTarget>;
  /** Target that is a property of its own, not in a list. */
  readonly single: (typeName: string) => Reader<ExcludeTarget>;
  /** List of targets, in which each object is at most once. */
  readonly list: <T extends ExcludeTarget>(
    item: ItemReader<T>,
    rule?: (targets: readonly T[], place: string, refusals: Refusals) => void,
  ) => Reader<readonly T[]>;
}

const guid = z.guid();
const targetType = word(targetTypes);

/** Creates the readers of targets. `resolveId` resolves ids in the form of responses. */
export function createTargetReaders(resolveId: ResolveId): TargetReaders {
  const id = objectId('may be meant', resolveId);
  const getIdentity = (target: unknown) => targetIdentity(target, resolveId);
  return {
    targetType,
    id,
    excludeTarget: element<ExcludeTarget>({
      typeName: 'excludeTarget',
      readers: { targetType, id: objectId('is no object', resolveId) },
    }),
    single: (typeName) => section<ExcludeTarget>({ typeName, readers: { targetType, id }, rule: everybodyIsAGroup }),
    list: (item, rule) =>
      list({ item, identityOf: getIdentity, itemsMax: policyTargetsMax, ...(rule === undefined ? {} : { rule }) }),
  };
}

/** Creates a reader of object ids. It accepts a GUID, the id that is already stored, and `all_users` where allowed. */
function objectId(everybody: 'may be meant' | 'is no object', resolveId: ResolveId): Reader<string> {
  const allowed = everybody === 'may be meant' ? `a GUID or "${allUsersId}"` : 'a GUID';
  const find = (given: string, current: string | undefined): string | null => {
    if (isAllUsers(given)) return everybody === 'may be meant' || isSameId(given, current) ? allUsersId : null;
    const resolved = resolveId(given);
    if (isSameId(resolved ?? given, current)) return current ?? null;
    return resolved ?? (guid.safeParse(given).success ? given : null);
  };
  return (given, current: string | undefined, place, refusals) => {
    const id = typeof given === 'string' ? find(given, current) : null;
    if (id !== null) return id;
    const reason = typeof given === 'string' && isAllUsers(given) ? ' (A37)' : '';
    refusals.refuse(place, `${formatValue(given)} is not ${allowed}${reason}`);
    return current as string;
  };
}

function isSameId(one: string, other: string | undefined): boolean {
  return other !== undefined && comparableId(one) === comparableId(other);
}

/** Rejects all users as a user, because they are a group. */
export function everybodyIsAGroup(target: ExcludeTarget, place: string, refusals: Refusals): void {
  if (isAllUsers(target.id) && target.targetType !== 'group') {
    refusals.refuse(
      `${place}.targetType`,
      `${formatValue(target.targetType)} is not allowed with "${allUsersId}"; use "group"`,
    );
  }
}

/**
 * Returns the identity of a target. It includes the type, because user ids and group ids are independent of each other.
 */
function targetIdentity(target: unknown, resolveId: ResolveId): string | null {
  if (!isPlainObject(target)) return null;
  const { targetType: type, id } = target as Partial<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof id !== 'string') return null;
  return `${type.toLowerCase()}:${comparableId(resolveId(id) ?? id)}`;
}

import { allUsersId, comparableId, isAllUsers } from '../../../machines/membership.ts';
import { isGuid, nameBasedUuid } from '../../core/ids.ts';

/** Kinds of objects with ids. Equal ids of different kinds have different ids on the wire. */
export type IdKind =
  | 'user'
  | 'group'
  | 'role'
  | 'tenant'
  | 'client'
  | 'method'
  | 'sign-in'
  | 'correlation'
  | 'request'
  | 'session'
  | 'audit';

const zeroGuid = '00000000-0000-0000-0000-000000000000';

/** Converts the ids of facts to ids in responses: unchanged, or as GUIDs. */
export class WireIds {
  /** Form of ids in responses. */
  readonly form: 'facts' | 'guid';
  readonly #areGuids: boolean;
  readonly #known = new Map<string, string>();

  constructor(form: 'facts' | 'guid') {
    this.form = form;
    this.#areGuids = form === 'guid';
  }

  /** Returns the id in responses. An id that already is a GUID stays, as do `all_users` and the zero GUID. */
  toWire(kind: IdKind, factId: string): string {
    if (!this.#areGuids || isGuid(factId)) return factId;
    if (isAllUsers(factId)) return allUsersId;
    const name = `${kind}:${factId}`;
    let wireId = this.#known.get(name);
    if (wireId === undefined) {
      wireId = nameBasedUuid(name);
      this.#known.set(name, wireId);
    }
    return wireId;
  }

  /** Returns the id in responses of an object that is one of many, such as a row of a log, so it is not cached. */
  compute(kind: IdKind, factId: string): string {
    return !this.#areGuids || isGuid(factId) ? factId : nameBasedUuid(`${kind}:${factId}`);
  }

  /**
   * Creates a function that finds fact ids as `findFact` does. It reads the ids once, when it is first called, so it is
   * for many ids.
   */
  createFinder(kind: IdKind, listFactIds: () => Iterable<string>): (given: string) => string | undefined {
    let known: Map<string, string> | null = null;
    return (given) => {
      const wanted = comparableId(given);
      if (wanted === zeroGuid) return undefined;
      known ??= this.#indexIds(kind, listFactIds());
      return known.get(wanted);
    };
  }

  #indexIds(kind: IdKind, factIds: Iterable<string>): Map<string, string> {
    const known = new Map<string, string>();
    for (const factId of factIds) {
      for (const form of [factId, this.compute(kind, factId)]) {
        const key = comparableId(form);
        if (!known.has(key)) known.set(key, factId);
      }
    }
    return known;
  }

  /**
   * Finds the fact id that a request names, in either form, without regard to case.
   *
   * @param factIds - ids of the facts of this kind
   */
  findFact(kind: IdKind, given: string, factIds: Iterable<string>): string | undefined {
    const wanted = comparableId(given);
    if (wanted === zeroGuid) return undefined;
    for (const factId of factIds) {
      if (comparableId(factId) === wanted) return factId;
      if (this.#areGuids && comparableId(this.toWire(kind, factId)) === wanted) return factId;
    }
    return undefined;
  }
}

import { defaultSandboxId } from '../../../core/default-sandbox.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../../sandbox/sandboxes.ts';
import { getTenantGuid, isTenantName, listTenantNames } from '../../../sandbox/tenant-identity.ts';
import { TenantIndex } from './tenant-index.ts';

/** Names of all tenants. They select the default sandbox. Personal accounts (`consumers`) are not simulated. */
const sharedNames: ReadonlySet<string> = new Set(['common', 'organizations']);

/** Returns `true` for a name of all tenants. */
export function isSharedName(tenant: string): boolean {
  return sharedNames.has(tenant.toLowerCase());
}

/** Events after which the tenant of a sandbox can have other names. */
const renamingEvents: ReadonlySet<string> = new Set(['tenant.changed', 'state.restored']);

/** Finds the sandboxes of tenants by their names. */
export class Tenants {
  readonly #sandboxes: Sandboxes;
  readonly #index = new TenantIndex();
  /** Sandboxes of this process whose names are in the index, unless they have changed since. */
  readonly #followed = new WeakSet<Sandbox>();
  readonly #renamed = new Set<string>();
  #revision = -1;
  /** Versions of the sandboxes of a shared store when their names were read. */
  #versions: ReadonlyMap<string, string> = new Map();

  constructor(sandboxes: Sandboxes) {
    this.#sandboxes = sandboxes;
  }

  /**
   * Returns the sandbox of a tenant. `null` if no sandbox has it.
   *
   * @param within - the only sandbox that can have it. `null` allows all, the default sandbox first
   */
  async find(tenant: string, within: string | null): Promise<string | null> {
    if (this.#sandboxes.shared) return this.#findShared(tenant, within);
    if (within === null) {
      this.#update();
      return this.#index.list(tenant)[0] ?? null;
    }
    if (!this.#sandboxes.has(within)) return null;
    return isTenantName(within, this.#sandboxes.get(within).recorder.state(), tenant) ? within : null;
  }

  /** Returns the sandbox that the names of all tenants select. `null` if it was removed. */
  async findDefault(): Promise<string | null> {
    return (await this.#sandboxes.exists(defaultSandboxId)) ? defaultSandboxId : null;
  }

  /** Returns the name of a tenant in the URLs of its discovery document. `null` if no sandbox has the tenant. */
  async nameInUrls(tenant: string): Promise<string | null> {
    if (isSharedName(tenant)) return tenant.toLowerCase();
    const id = await this.find(tenant, null);
    if (id === null) return null;
    return this.#sandboxes.within(id, ({ recorder }) => getTenantGuid(id, recorder.state()));
  }

  /** Reads the names of sandboxes that were added or renamed, and forgets those that were removed. */
  #update(): void {
    const { revision } = this.#sandboxes;
    for (const id of this.#renamed) if (this.#sandboxes.has(id)) this.#read(this.#sandboxes.get(id));
    this.#renamed.clear();
    if (revision === this.#revision) return;
    this.#revision = revision;
    for (const id of this.#index.ids()) if (!this.#sandboxes.has(id)) this.#index.remove(id);
    for (const sandbox of this.#sandboxes.list()) {
      if (this.#followed.has(sandbox)) continue;
      this.#followed.add(sandbox);
      sandbox.recorder.listen(({ event }) => {
        if (renamingEvents.has(event.type)) this.#renamed.add(sandbox.id);
      });
      this.#index.remove(sandbox.id);
      this.#read(sandbox);
    }
  }

  #read({ id, recorder }: Sandbox): void {
    this.#index.set(id, listTenantNames(id, recorder.state()));
  }

  /**
   * Finds the sandbox of a tenant in a store that other processes change too. The index can be out of date, so each
   * sandbox is entered, and if none has the tenant, the names of all sandboxes with new entries are read again.
   */
  async #findShared(tenant: string, within: string | null): Promise<string | null> {
    if (within !== null) return this.#enterToCompare(within, tenant);
    const known = await this.#compareAll(tenant);
    if (known !== null) return known;
    await this.#updateShared();
    return this.#compareAll(tenant);
  }

  async #compareAll(tenant: string): Promise<string | null> {
    for (const id of this.#index.list(tenant)) {
      const found = await this.#enterToCompare(id, tenant);
      if (found !== null) return found;
    }
    return null;
  }

  /** Returns the sandbox if the tenant is its own. */
  async #enterToCompare(id: string, tenant: string): Promise<string | null> {
    const enter = this.#sandboxes.within(id, ({ recorder }) => isTenantName(id, recorder.state(), tenant));
    return (await orMissing(enter)) === true ? id : null;
  }

  async #updateShared(): Promise<void> {
    const versions = await this.#sandboxes.versions();
    for (const id of this.#index.ids()) if (!versions.has(id)) this.#index.remove(id);
    const read = new Map<string, string>();
    for (const [id, version] of versions) {
      const isCurrent = this.#versions.get(id) === version;
      const entered = isCurrent || (await orMissing(this.#sandboxes.within(id, (sandbox) => this.#read(sandbox))));
      if (entered !== null) read.set(id, version);
    }
    this.#versions = read;
  }
}

/** Returns `null` if a sandbox was removed meanwhile. */
async function orMissing<T>(entered: Promise<T>): Promise<T | null> {
  try {
    return await entered;
  } catch (error) {
    if (error instanceof NudgeLabError && error.code === 'sandbox-not-found') return null;
    throw error;
  }
}

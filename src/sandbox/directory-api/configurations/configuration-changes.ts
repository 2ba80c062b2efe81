import { getDialect } from '../../../contract/directory-api/dialect.ts';
import { tenantFactsSchema } from '../../../contract/facts.schema.ts';
import { readConfiguration } from '../../../contract/method-configurations/configuration-reader.ts';
import {
  type ConfigurationType,
  externalType,
  getConfigurationType,
} from '../../../contract/method-configurations/configuration-types.ts';
import type { MethodConfiguration } from '../../../contract/method-configurations/method-configuration.ts';
import { parseOr } from '../../../contract/parse.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { isGuid, nameBasedUuid } from '../../../core/ids.ts';
import type { SandboxState } from '../../../journal/state.ts';
import {
  createInitial,
  listConfigurations,
  resetConfiguration,
  type StoredChange,
  storeConfiguration,
} from '../../method-configurations.ts';
import { createResolver } from '../../policy-service.ts';
import type { Recorder } from '../../recorder.ts';
import type { Caller } from '../../token-service.ts';
import { badField, toChangeCaller } from '../methods/method-changes.ts';

/** Maximum number of configurations of external methods. */
const externalMethodsMax = 100;

/** Changes of method configurations. Each one is an event of the journal, which the next verdict reads (DIR53). */
export class ConfigurationChanges {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Applies a PATCH completely or not at all. Throws `bad-request` with every invalid field. */
  async update(caller: Caller, before: MethodConfiguration, body: unknown): Promise<void> {
    const state = this.#recorder.state();
    const after = read(state, getConfigurationType(before.id), { body, before, isTypeRequired: true });
    if (after !== before) await this.#record(caller, state, storeConfiguration(state, after, before));
  }

  /** Resets a configuration to its default, or removes an external one. */
  async reset(caller: Caller, { id }: MethodConfiguration): Promise<void> {
    const state = this.#recorder.state();
    const defaults = parseOr('bad-request', tenantFactsSchema, {}, 'tenant').methodsPolicy;
    const change = resetConfiguration(state, id, defaults);
    const isSame =
      !Object.hasOwn(state.extras.configurations ?? {}, id) &&
      (change.methodsPolicy === null ||
        JSON.stringify(change.methodsPolicy) === JSON.stringify(state.tenant.methodsPolicy));
    if (!isSame) await this.#record(caller, state, change, { resets: true });
  }

  /**
   * Adds the configuration of an external method. Throws `bad-request` with every invalid field, or `object-exists` for
   * an id that another configuration has.
   *
   * @returns its id
   */
  async add(caller: Caller, body: unknown): Promise<string> {
    const state = this.#recorder.state();
    const { id: given, ...rest } = body as Readonly<Record<string, unknown>>;
    if (given !== undefined && (typeof given !== 'string' || !isGuid(given))) {
      throw badField('id', `${JSON.stringify(given)} is not a Guid; omit it for a new one`);
    }
    const known = listConfigurations(state).map(({ id }) => id.toLowerCase());
    const id = typeof given === 'string' ? given.toLowerCase() : nameBasedUuid(`configuration:${state.lastSeq}`);
    if (known.includes(id)) {
      throw new NudgeLabError('object-exists', { message: `A configuration with the id '${id}' already exists.` });
    }
    const count = Object.keys(state.extras.configurations ?? {}).filter(isGuid).length;
    if (count >= externalMethodsMax) {
      throw badField('body', `the policy already has ${externalMethodsMax} external methods; remove one first`);
    }
    const missing = ['displayName', 'appId', 'openIdConnectSetting'].filter((name) => !Object.hasOwn(rest, name));
    if (missing.length > 0) {
      const problems = missing.map((name) => ({ location: name, message: 'is missing' }));
      throw new NudgeLabError('bad-request', { problems });
    }
    const before = createInitial(externalType, id);
    const after = read(state, externalType, { body: rest, before, isTypeRequired: false });
    await this.#record(caller, state, storeConfiguration(state, after, before));
    return id;
  }

  async #record(
    caller: Caller,
    { extras }: SandboxState,
    change: StoredChange,
    marks: { readonly resets?: true } = {},
  ): Promise<void> {
    await this.#recorder.record({
      type: 'tenant.changed',
      facts: change.methodsPolicy === null ? {} : { methodsPolicy: change.methodsPolicy },
      extras: { ...extras, configurations: change.configurations },
      ...marks,
      by: 'policy-api',
      caller: toChangeCaller(caller),
    });
  }
}

interface ReadParts {
  readonly body: unknown;
  readonly before: MethodConfiguration;
  readonly isTypeRequired: boolean;
}

function read(
  state: SandboxState,
  type: ConfigurationType,
  { body, before, isTypeRequired }: ReadParts,
): MethodConfiguration {
  const names = { dialect: getDialect(state.settings), resolveId: createResolver(state) };
  const { after, problems } = readConfiguration(type, body, before, { ...names, isTypeRequired });
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
  return after;
}

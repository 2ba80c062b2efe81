import type { ConfigurationOperationId } from '../../../contract/directory-api/configuration-operations.ts';
import {
  configurationResources,
  configurationTypeNames,
} from '../../../contract/directory-api/configuration-resources.ts';
import { getConfigurationType } from '../../../contract/method-configurations/configuration-types.ts';
import type { MethodConfiguration } from '../../../contract/method-configurations/method-configuration.ts';
import {
  toWireConfiguration,
  type WireConfiguration,
} from '../../../contract/method-configurations/wire-configuration.ts';
import { computeDigest } from '../../../core/digest.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { listConfigurations } from '../../method-configurations.ts';
import { requireWriter } from '../../policy-access.ts';
import { ifMatchHolds } from '../../policy-conditions.ts';
import { getWireForm, listWireConfigurations } from '../../policy-projection.ts';
import type { DirectoryCall, DirectoryHandler, OperationResult } from '../directory-call.ts';
import type { DirectoryView } from '../directory-view.ts';
import type { AnyResourceSet } from '../resource-set.ts';

/** Handlers of the operations on method configurations, by id. */
export const configurationHandlers: Readonly<Record<ConfigurationOperationId, DirectoryHandler>> = {
  listConfigurations: (call) => ({
    kind: 'set',
    set: toConfigurationSet(call.view, listWireConfigurations(call.view.state, getForm(call, call.view))),
  }),
  getConfiguration: (call) => ({ kind: 'set', set: toSingleSet(call, call.view, findConfiguration(call)) }),
  updateConfiguration,
  resetConfiguration: async (call) => {
    requireWriter(call.caller);
    const configuration = findConfiguration(call);
    requireMatch(call, configuration);
    await call.configurations.reset(call.caller, configuration);
    return { kind: 'done' };
  },
  addConfiguration: async (call) => {
    requireWriter(call.caller);
    const id = await call.configurations.add(call.caller, await call.readBody());
    const view = call.currentView();
    return { kind: 'created', set: toSingleSet(call, view, findById(view, id)), id };
  },
};

async function updateConfiguration(call: DirectoryCall): Promise<OperationResult> {
  requireWriter(call.caller);
  const before = findConfiguration(call);
  requireMatch(call, before);
  const body = await call.readBody();
  // The state can have changed while the body arrived.
  const now = { ...call, view: call.currentView() };
  const current = findById(now.view, before.id);
  requireMatch(now, current);
  await call.configurations.update(call.caller, current, body);
  const view = call.currentView();
  return { kind: 'changed', set: toSingleSet(call, view, findById(view, before.id)) };
}

/** Finds the configuration of a path, by its id in the words of the dialect or of the specification. */
function findConfiguration({ view, params, request }: DirectoryCall): MethodConfiguration {
  const given = params['configuration'] ?? '';
  const wanted = view.dialect.fromWire(given);
  const known = listConfigurations(view.state).find(({ id }) => id.toLowerCase() === wanted);
  const isHidden = request.version === 'v1.0' && view.dialect.data.betaConfigurations.includes(known?.id ?? '');
  if (known !== undefined && !isHidden) return known;
  throw new NudgeLabError('not-found', { message: `The authenticationMethodConfiguration '${given}' does not exist.` });
}

function findById(view: DirectoryView, id: string): MethodConfiguration {
  const known = listConfigurations(view.state).find((one) => one.id === id);
  if (known !== undefined) return known;
  throw new NudgeLabError('not-found', { message: `The authenticationMethodConfiguration '${id}' does not exist.` });
}

function getForm({ request }: DirectoryCall, { state }: DirectoryView) {
  return getWireForm(state, request.version === 'beta');
}

function requireMatch(call: DirectoryCall, configuration: MethodConfiguration): void {
  const { ifMatch } = call.request.headers;
  if (ifMatch === undefined) return;
  const etag = computeEtag(toWireConfiguration(configuration, getForm(call, call.view)));
  if (ifMatchHolds(ifMatch, etag)) return;
  throw new NudgeLabError('precondition-failed', {
    message: `If-Match does not match the current version, ${etag}.`,
  });
}

function computeEtag(configuration: WireConfiguration): string {
  return `"${computeDigest(JSON.stringify(configuration))}"`;
}

function toSingleSet(call: DirectoryCall, view: DirectoryView, configuration: MethodConfiguration): AnyResourceSet {
  const wire = toWireConfiguration(configuration, getForm(call, view));
  return { ...toConfigurationSet(view, [wire]), etag: computeEtag(wire) };
}

const policyPath = 'policies/authenticationMethodsPolicy/authenticationMethodConfigurations';

/** Returns a set of configurations in their order. */
function toConfigurationSet(view: DirectoryView, rows: readonly WireConfiguration[]): AnyResourceSet {
  const getType = (row: WireConfiguration) => configurationResources[getConfigurationType(toPlainId(view, row)).name];
  const contexts = ({ id, '@odata.type': type }: WireConfiguration) => ({
    includeTargets: `${policyPath}('${id}')/${type.slice(1)}/includeTargets`,
  });
  return {
    rows,
    read: (row: WireConfiguration, name) => row[name],
    order: [],
    entitySet: policyPath,
    types: configurationTypeNames.map((name) => configurationResources[name]),
    getType,
    ...(view.dialect.data.targetContexts ? { getContexts: contexts } : {}),
  };
}

/** Returns the id of a configuration in the words of the specification. */
function toPlainId({ state, dialect }: DirectoryView, { id }: WireConfiguration): string {
  const wanted = dialect.fromWire(id);
  return listConfigurations(state).find((one) => one.id.toLowerCase() === wanted)?.id ?? id;
}

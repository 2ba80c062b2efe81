import { Router } from 'express';
import { type MachineDescriptor, type MachineId, machines } from '../../../machines/machine-registry.ts';
import { passkeyEligibility } from '../../../machines/passkey-eligibility.machine.ts';
import {
  chartDefinitions,
  chartNodes,
  describedTransition,
  formatChartId,
  isInitialNode,
} from '../../../machines/statechart.ts';
import { assumptions } from '../../contract/assumptions.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import type { ResponseBody } from '../../contract/control-responses.schema.ts';
import { matches } from '../../contract/coverage-evidence.ts';
import { modelOperations } from '../../contract/model-operations.ts';
import { ruleCatalogue } from '../../contract/rule-catalogue.ts';
import type { machineStatesResponse, machinesResponse } from '../../contract/statechart.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { serve, serveSandbox } from './serve.ts';

type Machine = ResponseBody<typeof machinesResponse>['machines'][number];
type Transition = Machine['transitions'][number];
type StateOf = ResponseBody<typeof machineStatesResponse>['states'][number];

/** Creates the routes for the statecharts of the model and for the current state of each machine. */
export function machineRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  let charts: readonly Machine[] | null = null;

  serve(router, modelOperations.listMachines, () => {
    charts ??= machines.map(createChart);
    return { machines: [...charts] };
  });

  serveSandbox(router, sandboxes, modelOperations.getStates, async (sandbox, { query }) => {
    await sandbox.documents.ready();
    const { user, signIn } = getSubject(sandbox, query);
    const states = [
      nudgeState(sandbox, user),
      signInState(sandbox, signIn),
      createState('campaign', sandbox.directory.campaign().state, 'campaign of the tenant'),
      eligibilityState(sandbox, user, signIn),
      documentState(sandbox, query.document ?? latestDocument(sandbox)),
    ];
    return { user, states };
  });

  return router;
}

/**
 * Returns the requested user and sign-in. A missing user defaults to the user of the latest sign-in. Throws
 * `user-not-found` or `sign-in-not-found`.
 */
function getSubject(
  { signIns, directory }: Sandbox,
  { user, signIn }: { readonly user?: string | undefined; readonly signIn?: string | undefined },
): { readonly user: string | null; readonly signIn: string | null } {
  if (user !== undefined) directory.user(user);
  if (signIn !== undefined) {
    const view = signIns.view(signIn);
    if (user !== undefined && view.userId !== user) {
      throw new NudgeLabError('sign-in-not-found', { message: `Sign-in ${signIn} does not belong to user ${user}.` });
    }
    return { user: view.userId, signIn };
  }
  const [latest] = signIns.list({ limit: 1, ...(user === undefined ? {} : { userId: user }) });
  return { user: user ?? latest?.userId ?? null, signIn: latest?.id ?? null };
}

function nudgeState({ directory }: Sandbox, user: string | null): StateOf {
  return user === null
    ? createState('nudge', null, 'no user')
    : createState('nudge', directory.nudgeStatus(user).state, `user ${user}`);
}

function signInState({ signIns }: Sandbox, signIn: string | null): StateOf {
  return signIn === null
    ? createState('signIn', null, 'no sign-in')
    : createState('signIn', signIns.view(signIn).screen, `sign-in ${signIn}`);
}

/** Evaluates passkey eligibility on the device of the evaluated sign-in, or on the default device if there is none. */
function eligibilityState(sandbox: Sandbox, user: string | null, signIn: string | null): StateOf {
  if (user === null) return createState('passkeyEligibility', null, 'no user');
  const state = sandbox.recorder.state();
  const facts = state.users.get(user)?.facts;
  if (facts === undefined) return createState('passkeyEligibility', null, 'no user');
  const evaluated = signIn === null ? null : sandbox.signIns.attempt(signIn);
  const attempt = evaluated ?? completeAttempt({}, facts, sandbox.clock.nowMs());
  const eligibility = passkeyEligibility({
    facts: { tenant: state.tenant, user: facts, attempt },
    ruleset: state.ruleset,
  });
  return createState('passkeyEligibility', eligibility, `user ${user} with ${attempt.browser} on ${attempt.os}`);
}

function documentState({ documents }: Sandbox, id: number | null): StateOf {
  const record = id === null ? null : documents.find(id);
  return record === null
    ? createState('document', null, id === null ? 'no document' : `no document ${id}`)
    : createState('document', record.state, `document ${id}`);
}

/** Maximum number of documents searched for the latest one. */
const documentsSearched = 10_000;

function latestDocument({ documents }: Sandbox): number | null {
  return documents.idsAfter(0, documentsSearched).at(-1) ?? null;
}

function createState(machine: MachineId, state: string | null, about: string): StateOf {
  return { machine, state, about };
}

/** Converts a machine to a statechart. Its states and transitions come from the machine itself. */
function createChart({ id, machine, title, summary, source }: MachineDescriptor): Machine {
  const nodes = chartNodes(machine);
  const states = nodes.slice(1).map((node) => ({
    id: formatChartId(node),
    isInitial: isInitialNode(nodes, node),
    isFinal: node.type === 'final',
    page: node.meta?.page ?? null,
    rules: [...(node.meta?.rules ?? [])],
  }));
  const rulesOfState = new Map(states.map((state) => [state.id, state.rules]));
  const transitions = chartDefinitions(nodes).map((definition, index): Transition => {
    const said = describedTransition(definition);
    const seen = id === 'nudge' ? rulesSeenBy(said) : [];
    return { id: String(index + 1), ...said, rules: seen.length > 0 ? seen : [...(rulesOfState.get(said.to) ?? [])] };
  });
  return { id, title, summary, source, states, transitions };
}

/** Lists the rules and assumptions that a transition confirms, according to their own definitions. */
function rulesSeenBy({ event, from, guard, actions }: Omit<Transition, 'id' | 'rules'>): string[] {
  const taken = { event, from, guard: guard ?? '', actions };
  return [...ruleCatalogue, ...assumptions]
    .filter(({ confirmedBy }) =>
      confirmedBy.some((seen) => seen.kind === 'lifecycle' && matches(taken, seen.transition)),
    )
    .map(({ id }) => id);
}

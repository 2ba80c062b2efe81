import type { Client } from '../contract/client.schema.ts';
import type { Step, StepOf } from '../contract/scenario.schema.ts';
import { applicationKeys } from '../contract/step-names.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import type { ScenarioSource } from './scenario-source.ts';

/**
 * Validates the steps that involve applications before the scenario runs: clients must exist and support user
 * sign-ins, actions must be possible on a page, and sign-outs must belong to an application. Throws
 * `scenario-invalid` with every problem and its location.
 *
 * @param clients - clients of the sandbox
 */
export function checkApplications(steps: readonly Step[], clients: readonly Client[], source: ScenarioSource): void {
  /** Application at which the sign-in of each tab started, or `null` if there is none. */
  const tabs = new Map<string, string | null>();
  let latest: string | undefined;
  const problems: ValidationProblem[] = [];
  for (const step of steps) {
    const tell = (key: string, message: string) =>
      problems.push({ location: source.place(['steps', step.index, step.kind, key]), message });
    if (step.kind === 'signOut') {
      const fault = signOutFault(step, tabs, latest);
      if (fault !== null) tell('as', fault);
      const foreign = fault === null ? foreignAddress(step, tabs.get(step.say.as ?? latest ?? ''), clients) : null;
      if (foreign !== null) tell('postLogoutRedirectUri', foreign);
    }
    if (step.kind !== 'signIn') continue;
    for (const [key, message] of signInFaults(step, clients)) tell(key, message);
    latest = step.say.as ?? step.say.user;
    tabs.set(latest, step.say.client ?? null);
  }
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
}

type Fault = readonly [key: string, message: string];

function signInFaults({ say }: StepOf<'signIn'>, clients: readonly Client[]): readonly Fault[] {
  const { client: clientId } = say;
  if (clientId === undefined) {
    return applicationKeys
      .filter((key) => say[key] !== undefined)
      .map((key): Fault => [key, `${key} applies only to a sign-in at an application: add its client`]);
  }
  const faults: Fault[] = [];
  if (say.ssoSession !== undefined) {
    faults.push([
      'ssoSession',
      'a sign-in that starts at an application uses the session of its browser: remove ssoSession',
    ]);
  }
  const client = clients.find(({ id }) => id === clientId);
  if (client === undefined) {
    const known = clients.map(({ id }) => id).join(', ') || 'none';
    return [...faults, ['client', `client "${clientId}" does not exist in this scenario; its clients are ${known}`]];
  }
  if (client.kind === 'service')
    faults.push(['client', `client "${clientId}" is a service: users cannot sign in to it`]);
  if (say.consent !== undefined && client.consent === 'granted' && say.prompt !== 'consent') {
    faults.push([
      'consent',
      `client "${clientId}" does not require consent; add consent: required to it, or prompt: consent to the step`,
    ]);
  }
  return [...faults, ...requestFaults(say)];
}

/** Returns the problems of options that the application's request rules out. */
function requestFaults(say: StepOf<'signIn'>['say']): readonly Fault[] {
  const { prompt } = say;
  const unasked = prompt === 'none' ? pageKeys.filter((key) => say[key] !== undefined) : [];
  const faults = unasked.map((key): Fault => [key, `with prompt: none, no page is shown, so ${key} cannot be used`]);
  if (say.account === undefined || prompt === undefined || prompt === 'none' || prompt === 'select_account')
    return faults;
  return [...faults, ['prompt', 'account can be chosen only with prompt: select_account']];
}

/** Step options that are actions on pages. */
const pageKeys = ['account', 'staySignedIn', 'consent', 'otherWay'] as const;

function signOutFault(
  { say: { as } }: StepOf<'signOut'>,
  tabs: ReadonlyMap<string, string | null>,
  latest: string | undefined,
): string | null {
  const tab = as ?? latest;
  if (tab === undefined) return 'signOut requires an earlier sign-in';
  if (tabs.get(tab) === null)
    return `the sign-in "${tab}" did not start at an application, and only an application signs out: add a client to it`;
  if (tabs.has(tab)) return null;
  return `"${tab}" is not an earlier sign-in; earlier sign-ins are ${[...tabs.keys()].join(', ') || 'none'}`;
}

function foreignAddress(
  { say: { postLogoutRedirectUri: address } }: StepOf<'signOut'>,
  clientId: string | null | undefined,
  clients: readonly Client[],
): string | null {
  const client = clients.find(({ id }) => id === clientId);
  if (address === undefined || client === undefined || client.postLogoutRedirectUris.includes(address)) return null;
  if (client.anyLoopbackRedirect && /^https?:\/\/(localhost|127\.0\.0\.1)[:/]/.test(address)) return null;
  const known = client.postLogoutRedirectUris.join(', ') || 'none';
  return `client "${client.id}" does not allow ${address} after a sign-out; its postLogoutRedirectUris are ${known}`;
}

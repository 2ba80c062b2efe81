import type { Client } from '../contract/client.schema.ts';
import type { Step, StepOf } from '../contract/scenario.schema.ts';
import { applicationKeys } from '../contract/step-words.ts';
import { NudgeLabError, type Problem } from '../core/errors.ts';
import type { ScenarioSource } from './scenario-source.ts';

/**
 * Checks what the steps say of applications, as far as it is known before anything runs: clients that are there and that people sign
 * in to, answers that a page can ask for, and sign-outs of applications. Takes the clients of the sandbox. Throws
 * `scenario-invalid` with every fault and its place.
 */
export function checkApplications(steps: readonly Step[], clients: readonly Client[], source: ScenarioSource): void {
  /** For each tab, whether its sign-in began at an application. */
  const tabs = new Map<string, boolean>();
  let latest: string | undefined;
  const problems: Problem[] = [];
  for (const step of steps) {
    const tell = (key: string, message: string) =>
      problems.push({ place: source.place(['steps', step.index, step.kind, key]), message });
    if (step.kind === 'signOut') {
      const fault = signOutFault(step, tabs, latest);
      if (fault !== null) tell('as', fault);
    }
    if (step.kind !== 'signIn') continue;
    for (const [key, message] of signInFaults(step, clients)) tell(key, message);
    latest = step.say.as ?? step.say.user;
    tabs.set(latest, step.say.client !== undefined);
  }
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
}

type Fault = readonly [key: string, message: string];

function signInFaults({ say }: StepOf<'signIn'>, clients: readonly Client[]): readonly Fault[] {
  const { client: clientId } = say;
  if (clientId === undefined) {
    return applicationKeys
      .filter((key) => say[key] !== undefined)
      .map((key): Fault => [key, `${key} is asked on the way to an application: name its client`]);
  }
  const faults: Fault[] = [];
  if (say.ssoSession !== undefined) {
    faults.push([
      'ssoSession',
      'a sign-in that begins at an application finds the session of its browser: leave it out',
    ]);
  }
  const client = clients.find(({ id }) => id === clientId);
  if (client === undefined) {
    const known = clients.map(({ id }) => id).join(', ') || 'none';
    return [...faults, ['client', `client "${clientId}" is none of this scenario; its clients are ${known}`]];
  }
  if (client.kind === 'service') faults.push(['client', `client "${clientId}" is a service: nobody signs in to it`]);
  if (say.consent !== undefined && client.consent === 'granted') {
    faults.push(['consent', `client "${clientId}" asks its users for nothing; give it consent: required`]);
  }
  return faults;
}

function signOutFault(
  { say: { as } }: StepOf<'signOut'>,
  tabs: ReadonlyMap<string, boolean>,
  latest: string | undefined,
): string | null {
  const tab = as ?? latest;
  if (tab === undefined) return 'signOut comes after a sign-in, and nobody can have signed in yet';
  if (tabs.get(tab) === true) return null;
  if (tabs.has(tab))
    return `the sign-in "${tab}" began at no application, and an application is what signs out: name a client`;
  return `no sign-in before this step is called "${tab}"; there are ${[...tabs.keys()].join(', ') || 'none'}`;
}

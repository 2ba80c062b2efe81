import type { AnyStateMachine } from 'xstate';
import { campaignMachine } from './campaign.machine.ts';
import { documentMachine } from './document.machine.ts';
import { nudgeMachine } from './nudge.machine.ts';
import { passkeyEligibilityMachine } from './passkey-eligibility.machine.ts';
import { signInMachine } from './sign-in.machine.ts';

/** Ids of the state machines, in their order of presentation. */
export const machineIds = ['nudge', 'signIn', 'campaign', 'passkeyEligibility', 'document'] as const;
export type MachineId = (typeof machineIds)[number];

/** State machine of the model with its source file. */
export interface MachineDescriptor {
  readonly id: MachineId;
  readonly machine: AnyStateMachine;
  /** Display name of the machine. */
  readonly title: string;
  /** Purpose of the machine in one sentence. */
  readonly summary: string;
  /** Source file of the machine, relative to the repository root. */
  readonly source: string;
}

/** Registry of all state machines of the model. */
export const machines: readonly MachineDescriptor[] = [
  {
    id: 'nudge',
    machine: nudgeMachine as unknown as AnyStateMachine,
    title: 'Nudge lifecycle',
    summary: 'The nudge status of one user: not prompted, prompted, snoozed, required or registered.',
    source: 'machines/nudge.machine.ts',
  },
  {
    id: 'signIn',
    machine: signInMachine as unknown as AnyStateMachine,
    title: 'Sign-in',
    summary: 'The screens of one sign-in, from the username to the end.',
    source: 'machines/sign-in.machine.ts',
  },
  {
    id: 'campaign',
    machine: campaignMachine as unknown as AnyStateMachine,
    title: 'Campaign',
    summary: 'Who controls the campaign of the tenant: no one, the tenant or the provider.',
    source: 'machines/campaign.machine.ts',
  },
  {
    id: 'passkeyEligibility',
    machine: passkeyEligibilityMachine as unknown as AnyStateMachine,
    title: 'Passkey eligibility',
    summary: 'Whether a user can be prompted for a passkey on one device and browser.',
    source: 'machines/passkey-eligibility.machine.ts',
  },
  {
    id: 'document',
    machine: documentMachine as unknown as AnyStateMachine,
    title: 'Document record',
    summary: 'The states of a document record, from creation to publication.',
    source: 'machines/document.machine.ts',
  },
];

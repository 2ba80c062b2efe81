import type { AnyStateMachine } from 'xstate';
import { campaignMachine } from './campaign.machine.ts';
import { documentMachine } from './document.machine.ts';
import { nudgeMachine } from './nudge.machine.ts';
import { passkeyEligibilityMachine } from './passkey-eligibility.machine.ts';
import { signInMachine } from './sign-in.machine.ts';

/** The names of the machines, in the order in which people meet them. */
export const machineIds = ['nudge', 'signIn', 'campaign', 'passkeyEligibility', 'document'] as const;
export type MachineId = (typeof machineIds)[number];

/** A machine of the model, and where it is stated. */
export interface MachineDescriptor {
  readonly id: MachineId;
  readonly machine: AnyStateMachine;
  /** What people call it. */
  readonly title: string;
  /** What it is about, as a sentence. */
  readonly summary: string;
  /** The file that states it, from the top of the repository. */
  readonly source: string;
}

/** Every machine of the model. */
export const machines: readonly MachineDescriptor[] = [
  {
    id: 'nudge',
    machine: nudgeMachine as unknown as AnyStateMachine,
    title: 'Nudge lifecycle',
    summary: 'Where one user stands: not asked, asked, snoozing, required or registered.',
    source: 'machines/nudge.machine.ts',
  },
  {
    id: 'signIn',
    machine: signInMachine as unknown as AnyStateMachine,
    title: 'Sign-in',
    summary: 'The screens of one sign-in, from the name to the end.',
    source: 'machines/sign-in.machine.ts',
  },
  {
    id: 'campaign',
    machine: campaignMachine as unknown as AnyStateMachine,
    title: 'Campaign',
    summary: 'Who decides about the campaign of the tenant: no one, the tenant or the provider.',
    source: 'machines/campaign.machine.ts',
  },
  {
    id: 'passkeyEligibility',
    machine: passkeyEligibilityMachine as unknown as AnyStateMachine,
    title: 'Passkey eligibility',
    summary: 'Whether one user can be asked for a passkey on one device and browser.',
    source: 'machines/passkey-eligibility.machine.ts',
  },
  {
    id: 'document',
    machine: documentMachine as unknown as AnyStateMachine,
    title: 'Document record',
    summary: 'One document record, from its creation to its publication.',
    source: 'machines/document.machine.ts',
  },
];

import { demandAt, drawSettings } from '../../machines/own/evaluate-own.ts';
import { type MethodKind, rulesAt } from '../../machines/own/own-ruleset.ts';
import { collectInput, collectPromptInput } from '../../machines/own/own-state.ts';
import { waitAfterAnswer } from '../../machines/own/own-timing.ts';
import type { TargetedMethod } from '../../machines/vocabulary.ts';
import { toInstantOrNull } from '../core/clock.ts';
import { findOwnStatus } from '../journal/own-ledger.ts';
import type { SandboxState, SignInRecord } from '../journal/state.ts';
import { evaluateAgain } from './own-explain.ts';

/** Prompt of an own campaign as pages show it, from the data of its ruleset. */
export interface OwnPromptView {
  readonly method: { readonly id: string; readonly label: string; readonly kind: MethodKind };
  /** Answers that the prompt offers now, one button each. */
  readonly answers: readonly { readonly id: string; readonly label: string }[];
  readonly deadlineAt: string | null;
  readonly edition: string | null;
  readonly variant: string | null;
  /** True if the rules in force now let the user turn the prompt down (A39). */
  readonly skippable: boolean;
  readonly snoozesLeft: number | null;
  /** True if the error screen of a failed setup can be skipped. */
  readonly errorSkippable: boolean;
  /** Time in milliseconds until the next prompt after a skip now, or `null` if the cadence states no time. */
  readonly waitMs: number | null;
  /** Texts of the screens by name: `prompt`, `required`, `error` and `blocked`; `null` stands for the generic text. */
  readonly screens: Readonly<Record<string, OwnScreenView>>;
}

/** Texts of one screen. */
export interface OwnScreenView {
  readonly heading: string | null;
  readonly text: string | null;
  /** Labels of buttons by name. */
  readonly buttons: Readonly<Record<string, string>>;
}

/** Creates the view of a sign-in's prompt, or `null` if it has no prompt of an own campaign. */
export function createOwnPromptView(state: SandboxState, signIn: SignInRecord): OwnPromptView | null {
  const { own, lastAtMs: nowMs } = state;
  const verdict = evaluateAgain(own, signIn.evaluation);
  const evaluated = signIn.evaluation?.own;
  if (own === null || verdict === null || evaluated === undefined || verdict.outcome === 'none') return null;
  const rules = rulesAt(own.ruleset, nowMs);
  const owner = own.users.get(signIn.userId);
  const prompt = owner?.prompts.find(({ id }) => id === signIn.id);
  const isOpen = prompt !== undefined;
  const isRequired = prompt?.required === true;
  const input =
    owner &&
    (prompt === undefined
      ? collectInput(own, owner, { ...evaluated.attempt, nowMs })
      : collectPromptInput(own, owner, prompt, nowMs));
  const skippable = isOpen && !isRequired && input !== undefined && demandAt(own.ruleset, input) === 'skippable';
  const method = rules.methods[rules.ask];
  return {
    method: { id: rules.ask, label: method?.label ?? rules.ask, kind: method?.kind ?? 'form' },
    answers: Object.entries(rules.answers)
      .filter(([id, { whenRequired }]) => !reservedAnswers.has(id) && (skippable || whenRequired === 'offered'))
      .map(([id, { label }]) => ({ id, label })),
    deadlineAt: toInstantOrNull(verdict.deadlineAtMs),
    edition: verdict.edition,
    variant: verdict.variant,
    skippable,
    snoozesLeft: findOwnStatus(own, signIn.userId, nowMs)?.snoozesLeft ?? null,
    errorSkippable: rules.failure.skip === 'signsIn',
    waitMs:
      input === undefined ? null : waitAfterAnswer(input.entries[0]?.count ?? 0, drawSettings(rules, input.facts)),
    screens: rules.screens,
  };
}

/** Answers that have no button of their own. */
export const reservedAnswers: ReadonlySet<string> = new Set(['close', 'expire', 'next']);

/** Returns true if the prompt of a sign-in asks for a passkey, in a registration campaign or an own one. */
export function isPasskeyPrompt({
  method,
  own,
}: {
  readonly method: TargetedMethod | null;
  readonly own?: Pick<OwnPromptView, 'method'> | undefined;
}): boolean {
  return own === undefined ? method === 'fido2' : own.method.kind === 'passkey';
}

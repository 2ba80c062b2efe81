import type { AssumptionId } from './assumption-evidence.ts';

/** Question that the format of ruleset files or the announcement leaves open, with the answer of this program. */
interface RulesetAssumption {
  readonly id: AssumptionId;
  readonly question: string;
  readonly answer: string;
}

/** Assumptions on ruleset files, and from A62 to A71 on the ruleset `announced`. */
export const rulesetDecisions: readonly RulesetAssumption[] = [
  {
    id: 'A52',
    question: 'several effects of one answer in a ruleset file',
    answer:
      '`effect` is one effect or a list such as `[snooze, session]`, and every effect of the list applies; `nothing` stands alone',
  },
  {
    id: 'A53',
    question: 'which ledgers a reset in a ruleset file clears',
    answer: 'those under all keys of the attempt; `resets.keys` limits a reset to some of the keys of `ledger.keys`',
  },
  {
    id: 'A54',
    question: '`user.passkeys` in conditions of a ruleset file',
    answer: 'the set of the types of the passkeys that the user has; two passkeys of one type count once',
  },
  {
    id: 'A55',
    question: 'completion in a ruleset file and the method itself',
    answer:
      'the registered passkey or method is always stored; `completion` changes declared facts in addition and replaces nothing',
  },
  {
    id: 'A56',
    question: '`X.trigger` in a ruleset file without `trigger`',
    answer: 'the gate is always evaluated and reported: the kind of sign-in is then `signIn`, with any factors',
  },
  {
    id: 'A57',
    question: '`kept.signIns` in a ruleset file',
    answer: 'the number of sign-ins with the one that is evaluated, as in windows of sign-ins',
  },
  {
    id: 'A58',
    question: 'a deadline since `firstShown` before the prompt was shown',
    answer:
      'the sign-in that shows the prompt for the first time begins the period, so its verdict has the deadline already',
  },
  {
    id: 'A59',
    question: 'cleared browser data in scenarios of a ruleset file',
    answer:
      'the browser has another id from then on and all sessions end; ledgers under the earlier id stay and are not read again',
  },
  {
    id: 'A60',
    question: 'YAML tags in ruleset files',
    answer: 'every explicit tag is rejected (RS01), those of the core schema such as `!!str` too',
  },
  {
    id: 'A61',
    question: 'calendar units in facts and settings of a ruleset file',
    answer:
      'durations of facts and settings are elapsed time; `mo` and `y` are allowed only for durations that stand in a rule',
  },
  {
    id: 'A62',
    question: 'who is enabled for text messages or voice calls in ruleset `announced`',
    answer:
      '`user.facts.phoneMethodsEnabled`; by default that of users who have SMS or voice registered, although the announcement says enabled by policy',
  },
  {
    id: 'A63',
    question: 'external users in ruleset `announced`',
    answer: '`user.facts.external`; by default every guest, so an internal guest says `false`',
  },
  {
    id: 'A64',
    question: 'snooze days from 2026-09-01 on in ruleset `announced`',
    answer: 'not announced; 1 day, as in `2026-09`',
  },
  {
    id: 'A65',
    question: 'AAGUID restrictions in ruleset `announced`',
    answer:
      'A19 and A28 stay: the method is the app, with limited snoozes, in a tenant whose passkey policy restricts AAGUIDs; users who must register are then prompted for the app',
  },
  {
    id: 'A66',
    question: 'free and trial subscriptions in ruleset `announced`',
    answer: 'A20 stays: they are limited to three snoozes, although the announcement says unlimited',
  },
  {
    id: 'A67',
    question: 'platforms without passkeys in ruleset `announced`',
    answer: 'users who must make a passkey see the required page on these platforms too (R11.4, R11.6, R11.9)',
  },
  {
    id: 'A68',
    question: 'excluded users (S2) in ruleset `announced`',
    answer: 'from 2027-02-01 on they must register too, since there is no opt-out; before, they are not prompted',
  },
  {
    id: 'A69',
    question: 'passkey profile of all types in ruleset `announced`',
    answer:
      'users in scope have it besides the profiles of the policy: R11.7 does not apply, and the whole matrix of R12 suppresses (A29)',
  },
  {
    id: 'A70',
    question: 'users without any method in ruleset `announced`',
    answer:
      'they are not in scope unless `phoneMethodsEnabled` says so, since the announcement is about users who are enabled for SMS or voice',
  },
  {
    id: 'A71',
    question: 'second factor of users whose only methods have ended',
    answer:
      'the sign-in has no second factor and goes on to the required page; a scenario that names one anyway gets the warning `unusable-factor`',
  },
  {
    id: 'A72',
    question: 'conditions of `campaign` in a ruleset file',
    answer: 'they read facts of the tenant alone, because a campaign is that of a tenant (R2, R8)',
  },
  {
    id: 'A73',
    question: 'limits of the lifecycle in editions of a ruleset file',
    answer: 'editions cannot change `limits`, because open prompts outlive an edition (RS32)',
  },
  {
    id: 'A74',
    question: 'conditions in patches of a ruleset file',
    answer: 'a whole condition replaces the one before; other objects are merged (OC57)',
  },
  {
    id: 'A79',
    question: 'an open prompt when the deadline of a ruleset file passes and blocks (OC23, OC27)',
    answer:
      'the rules at its own time decide about an answer, so turning the prompt down is refused (409). Setting up is still possible until the prompt expires, because the prompt offered it; the next sign-in is blocked',
  },
];

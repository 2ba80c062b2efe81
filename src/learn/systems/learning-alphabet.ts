import type { LearnableStep, ObservedKey } from '../../contract/alphabet.schema.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import type { PageName } from '../../contract/step-names.ts';
import type { Availability } from './system-under-learning.ts';

/** Page of a situation; `none` if no page is open. */
export type SituationPage = PageName | 'none';

/** Input of a learning alphabet. */
export interface LearningInput {
  readonly name: string;
  readonly step: WrittenStep;
  /** Pages on which the step is taken; `null` if it always is. */
  readonly pages: readonly SituationPage[] | null;
}

/** Steps of one user and one campaign as the inputs of a machine. */
export interface LearningAlphabet {
  readonly ruleset: string | null;
  readonly given: ScenarioGiven;
  /** Id of the user. */
  readonly user: string;
  readonly observed: readonly ObservedKey[];
  readonly inputs: readonly LearningInput[];
}

/** Values that a driver shows after a step. Values that it cannot show are absent. */
export interface StepOutput {
  readonly page?: string | undefined;
  readonly outcome?: string | undefined;
  readonly state?: string | undefined;
  readonly snoozesLeft?: number | null | undefined;
  readonly snoozes?: number | undefined;
  /** Code of the error if the step failed. */
  readonly failed?: string | undefined;
}

const promptPages = ['prompt', 'required', 'setup', 'error-screen'] as const;
const otherPages = ['none', 'signed-in', 'not-nudged', 'closed'] as const;

/** Pages on which steps have an effect; all others can be taken on every page. */
const pagesByStep: Partial<Record<LearnableStep, readonly SituationPage[]>> = {
  // A sign-in while a prompt is open would leave the prompt open in the background, once for each sign-in.
  signIn: otherPages,
  next: ['prompt', 'required'],
  skip: ['prompt', 'required'],
  register: promptPages,
  failRegistration: promptPages,
  skipError: ['error-screen'],
  closeBrowser: promptPages,
  reload: promptPages,
};

/** Steps after which no page is open. */
const closingSteps = new Set(['closeBrowser', 'advance']);

/** Returns the pages on which a step has an effect; `null` for all pages. */
export function listDefaultPages(kind: string): readonly SituationPage[] | null {
  return pagesByStep[kind as LearnableStep] ?? null;
}

/** Returns the kind of a written step. */
export function getStepKind(step: WrittenStep): string {
  return Object.keys(step)[0] ?? '';
}

const failedSituation = 'failed';

/** Formats an output. Equal outputs give equal texts. */
export function formatOutput(output: StepOutput): string {
  return JSON.stringify(output);
}

/** Reads a formatted output; outputs that are not of a step have no values. */
export function parseOutput(text: string): StepOutput {
  return text.startsWith('{') ? (JSON.parse(text) as StepOutput) : {};
}

/** Returns which inputs of an alphabet are available after which outputs. After a failed step, none is. */
export function createAvailability({ inputs }: LearningAlphabet): Availability {
  return {
    start: 'none',
    after: (situation, input, text) => {
      const { page, failed } = parseOutput(text);
      if (failed !== undefined) return failedSituation;
      const kind = getStepKind((inputs[input] as LearningInput).step);
      if (closingSteps.has(kind)) return 'none';
      return page ?? situation;
    },
    allows: (situation, input) => {
      const { pages } = inputs[input] as LearningInput;
      return situation !== failedSituation && (pages === null || pages.includes(situation as SituationPage));
    },
  };
}

const user = 'ada';

/** Alphabet of one user and one campaign with a snooze of one day and a limit of three snoozes. */
export const builtInAlphabet: LearningAlphabet = createBuiltIn();

function createBuiltIn(): LearningAlphabet {
  const everyone = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
  const campaign = {
    state: 'enabled',
    snoozeDurationInDays: 1,
    enforceRegistrationAfterAllowedSnoozes: true,
    includeTargets: [everyone],
  };
  const steps: readonly (readonly [string, WrittenStep])[] = [
    ['signIn', { signIn: { user } }],
    ['skip', { skip: {} }],
    ['close', { closeBrowser: {} }],
    ['register', { register: {} }],
    ['failRegistration', { failRegistration: {} }],
    ['skipError', { skipError: {} }],
    ['day', { advance: { days: 1 } }],
    ['removeMethod', { removeMethod: { user, method: 'authenticator-push' } }],
    ['reset', { setUser: { user, snooze: { count: 0, snoozedAtMs: null } } }],
  ];
  return {
    ruleset: null,
    given: { tenant: { campaign }, users: { [user]: { methods: ['sms'] } } },
    user,
    observed: ['outcome', 'state', 'snoozesLeft'],
    inputs: steps.map(([name, step]) => ({ name, step, pages: listDefaultPages(getStepKind(step)) })),
  };
}

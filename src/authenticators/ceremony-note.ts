import { flagBits } from './authenticator-data.ts';
import type { CeremonyContext, CeremonyOutcome } from './ceremony.ts';
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  ExtensionResultsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from './webauthn-json.ts';

/** Record of one ceremony for tests: the request of the page and the outcome. */
export interface CeremonyNote {
  readonly type: 'create' | 'get';
  /**
   * Mediation of the request. `conditional` means that the browser created the passkey without prompting the user.
   */
  readonly mediation: 'optional' | 'conditional';
  readonly origin: string;
  readonly rpId: string | null;
  readonly hints: readonly string[];
  /** Outcome of the ceremony: `completed`, `unanswered`, or the name of the exception that the page received. */
  readonly outcome: string;
  /** User presence flag of the authenticator data; `null` if there was no response. */
  readonly userPresent: boolean | null;
  readonly userVerified: boolean | null;
  /** Client extension outputs. */
  readonly extensions: ExtensionResultsJson;
}

interface Ceremony {
  readonly type: CeremonyNote['type'];
  readonly options: CreationOptionsJson | RequestOptionsJson;
  readonly context: CeremonyContext;
  readonly outcome: CeremonyOutcome<object>;
}

/** Creates the record of one ceremony from its options, context and outcome. */
export function ceremonyNote({ type, options, context, outcome }: Ceremony): CeremonyNote {
  const response =
    outcome.kind === 'answered' ? (outcome.response as RegistrationResponseJson | AuthenticationResponseJson) : null;
  const flags = response === null ? null : Buffer.from(response.response.authenticatorData, 'base64url').readUInt8(32);
  return {
    type,
    mediation: context.conditional === true ? 'conditional' : 'optional',
    origin: context.origin,
    rpId: ('rp' in options ? options.rp.id : options.rpId) ?? null,
    hints: options.hints ?? [],
    outcome: getOutcomeName(outcome),
    userPresent: flags === null ? null : (flags & flagBits.userPresent) !== 0,
    userVerified: flags === null ? null : (flags & flagBits.userVerified) !== 0,
    extensions: response?.clientExtensionResults ?? {},
  };
}

function getOutcomeName(outcome: CeremonyOutcome<object>): string {
  if (outcome.kind === 'failed') return outcome.error.name;
  return outcome.kind === 'answered' ? 'completed' : 'unanswered';
}

import { flagBits } from './authenticator-data.ts';
import type { CeremonyContext, CeremonyOutcome } from './ceremony.ts';
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  ExtensionResultsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from './webauthn-json.ts';

/** What a page asked a browser for in one ceremony, and what came of it: what a test looks at. */
export interface CeremonyNote {
  readonly type: 'create' | 'get';
  /** `conditional` where no one was asked: the browser created the passkey by itself. */
  readonly mediation: 'optional' | 'conditional';
  readonly origin: string;
  readonly rpId: string | null;
  readonly hints: readonly string[];
  /** `completed`, `unanswered`, or the name of the exception that the page saw. */
  readonly outcome: string;
  /** Flags of the authenticator data; `null` without a response. */
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

/** Notes a ceremony. Takes what was asked for, where, and the outcome. */
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
    outcome: nameOf(outcome),
    userPresent: flags === null ? null : (flags & flagBits.userPresent) !== 0,
    userVerified: flags === null ? null : (flags & flagBits.userVerified) !== 0,
    extensions: response?.clientExtensionResults ?? {},
  };
}

function nameOf(outcome: CeremonyOutcome<object>): string {
  if (outcome.kind === 'failed') return outcome.error.name;
  return outcome.kind === 'answered' ? 'completed' : 'unanswered';
}

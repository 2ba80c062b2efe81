import { z } from 'zod';
import { browsers, mfaMethods, mfaProviders, operatingSystems, surfaces } from '../../../machines/vocabulary.ts';
import type { AttemptInput } from '../../contract/context.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';

const yesOrNo = z.enum(['true', 'false']).transform((word) => word === 'true');
const id = z.string().min(1).max(256);

/** Query value for `null`: no browser, or no known second-factor method. */
export const noneWord = 'none';

/** Attempt facts in the query of a sign-in URL. The parameters have the names of the facts. */
const querySchema = z
  .strictObject({
    os: z.enum(operatingSystems),
    browser: z.enum([...browsers, noneWord]),
    surface: z.enum(surfaces),
    deviceId: id,
    mfaMethod: z.enum([...mfaMethods, noneWord]),
    mfaProvider: z.enum(mfaProviders),
    mfaCompleted: yesOrNo,
    sso: yesOrNo,
    termsOfUse: yesOrNo,
    customControls: yesOrNo,
    registrationBlocked: yesOrNo,
    conditionMet: yesOrNo,
    registeredThisSession: yesOrNo,
    network: id,
  })
  .partial();

/** Query parameters that do not concern the attempt. */
const otherParameters: readonly string[] = ['user', 'interaction', 'ui_locales'];

/**
 * Returns the attempt facts in the query of a sign-in URL ("try it"). Parameters without a value are ignored, because
 * forms submit empty fields.
 *
 * @throws NudgeLabError `bad-request` with each invalid parameter and its allowed values
 */
export function attemptOfQuery(query: URLSearchParams): AttemptInput {
  if (query.size === 0) return {};
  const given: Record<string, string> = Object.create(null);
  for (const [name, value] of query) {
    if (value === '' || otherParameters.includes(name)) continue;
    if (Object.hasOwn(given, name)) throw twice(name);
    given[name] = value;
  }
  const said = parseOr('bad-request', querySchema, given, 'query');
  const { registrationBlocked, conditionMet } = said;
  return withoutUndefined({
    os: said.os,
    browser: said.browser === noneWord ? null : said.browser,
    surface: said.surface,
    deviceId: said.deviceId,
    mfa: getPart({
      completed: said.mfaCompleted,
      provider: said.mfaProvider,
      method: said.mfaMethod === noneWord ? null : said.mfaMethod,
    }),
    ssoSession: said.sso,
    registeredThisSession: said.registeredThisSession,
    conditionalAccess: getPart({
      registrationPageBlocked: registrationBlocked,
      registrationConditionMet: conditionMet,
    }),
    termsOfUse: said.termsOfUse,
    customControls: said.customControls,
    network: said.network,
  });
}

function twice(name: string): NudgeLabError {
  return new NudgeLabError('bad-request', {
    problems: [{ location: `query.${name}`, message: 'is repeated; set it only once' }],
  });
}

/** Returns a part of an attempt, or `undefined` if the part is empty. */
function getPart<Part extends object>(part: Part): Part | undefined {
  const said = withoutUndefined(part);
  return Object.keys(said).length === 0 ? undefined : (said as Part);
}

/** Removes undefined facts, so the journal does not contain them either. */
function withoutUndefined(said: object): AttemptInput {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as AttemptInput;
}

/** Form errors, each with the status of the page that displays it next to the field. */
export const faultStatus = {
  'password-missing': 400,
  'password-wrong': 401,
  'too-many-guesses': 429,
  'code-missing': 400,
  'code-wrong': 401,
  'method-missing': 400,
  'push-waiting': 409,
  'push-denied': 401,
  'passkey-refused': 401,
  'passkey-type-unknown': 400,
  'passkey-name-missing': 400,
  'device-missing': 400,
  'password-differs': 400,
  'terms-not-accepted': 400,
} as const;
export type FormFault = keyof typeof faultStatus;

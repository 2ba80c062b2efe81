import { z } from 'zod';

/** Name of a setting, fact, answer, method, ecosystem or variant. */
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const name = z.string().regex(namePattern, {
  message: 'must be a name: a letter, then letters, digits, - or _, at most 64 characters',
});
/** Pattern of the ids of rulesets. */
export const rulesetIdPattern = /^[a-z0-9][a-z0-9.-]{0,63}$/;

/** Reason code. */
export const reasonCodePattern = /^[a-z][a-z0-9-]{0,63}$/;
export const code = z.string().regex(reasonCodePattern, {
  message: 'must be a code in lower case, such as not-in-scope',
});
/** Texts of buttons and texts of screens (OC38). */
export const label = z.string().min(1).max(300);
export const text = z.string().min(1).max(2_000);
export const zone = z
  .string()
  .min(1)
  .max(64)
  .describe('Time zone of calendar units, such as Europe/Berlin; UTC by default.');

/** JSON Schema of a reference to a setting or a fact. */
export const settingReference = {
  type: 'object',
  properties: { setting: { type: 'string' } },
  required: ['setting'],
  additionalProperties: false,
};
export const factReference = {
  type: 'object',
  properties: { fact: { type: 'string' } },
  required: ['fact'],
  additionalProperties: false,
};
const durationForm = { type: 'string', pattern: '^(0|([0-9]+(ms|s|m|h|d|w|mo|y))+)$' };

/** Value in a rule. The reader checks its type, and whether the setting or fact exists. */
export const operand = (form: object) =>
  z
    .unknown()
    .refine((value) => value !== undefined, { message: 'is missing' })
    .meta({ anyOf: [form, settingReference, factReference] });
export const anyValue = operand({ type: ['boolean', 'number', 'string', 'array'] });
export const duration = operand(durationForm);
export const instant = operand({ type: 'string', examples: ['2026-05-01', '2026-05-01T09:00:00+02:00'] });
export const integer = operand({ type: 'integer' });

/** Condition. The reader parses it, because it is recursive and its operators depend on the type of the fact. */
export const conditionSchema = z.looseObject({}).meta({
  type: 'object',
  description:
    'A condition: all, any or not of conditions; a fact with one operator; or signIns with within and a comparison.',
  properties: {
    all: { type: 'array', items: { type: 'object' } },
    any: { type: 'array', items: { type: 'object' } },
    not: { type: 'object' },
    fact: { type: 'string' },
    missing: { enum: ['pass', 'fail'] },
    signIns: { type: 'object' },
  },
});

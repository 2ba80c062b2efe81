import { z } from 'zod';

const text = z.string().min(1).max(300);
const rowId = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, {
  message: 'must be an id: lower-case letters, digits and hyphens, such as no-prompt-while-snoozed',
});

/** Maximum number of properties of a file. */
const propertiesMax = 200;

/** Formula. The reader parses it, because it is recursive. */
const formula = z.looseObject({}).meta({
  type: 'object',
  description:
    'A formula. Conditions of one position: state, page, fact with a comparison, rises, falls, changes, event, action, ' +
    'time, previously. Combinations: not, all, any, when with then. Over time: next, always, never, eventually, hold ' +
    'with until or unless, first with before, times with atMost and between.',
  minProperties: 1,
});

/** Property as a file states it. */
const propertySchema = z.strictObject({
  id: rowId.describe('Id of the property, unique in its file.'),
  title: text.describe('Sentence that can be true or false.'),
  covers: z.array(z.string().min(1).max(32)).max(32).default([]).describe('Ids of the rules and assumptions.'),
  machine: z.string().min(1).max(300).optional().describe('Machine of this property.'),
  fair: z
    .array(z.union([z.literal('clock'), formula]))
    .max(16)
    .default([])
    .describe('Conditions that recur forever on every considered path. `clock` means that time goes on.'),
  property: formula.describe('The formula that holds on every path.'),
});

/** File of temporal properties: `NAME.properties.yaml`. */
export const propertiesSchema = z.strictObject({
  machine: z.string().min(1).max(300).optional().describe('Machine of the properties that name none.'),
  properties: z.array(propertySchema).min(1).max(propertiesMax).describe('The properties.'),
});

/** File of properties as it is written. */
export type WrittenProperties = z.output<typeof propertiesSchema>;

import { modelNames } from '../../properties/models/model-names.ts';
import type { ArgumentsOf } from '../command.ts';
import { rulesetOption } from '../common-options.ts';
import { flag, list, text } from '../option.ts';

/** Options of `nudgelab properties`. */
export const propertiesOptions = {
  machine: text('--machine <name>', `machine of properties that name none: ${modelNames.join(', ')}`, {
    suggestions: modelNames,
    whenOmitted: 'lifecycle',
  }),
  ruleset: rulesetOption('id or file of the ruleset that evaluates sign-ins'),
  only: list('--only <ids>', 'only the properties with these ids'),
  names: flag('--names', 'list the facts, events and actions of the machine instead'),
  out: text('--out <folder>', 'write a scenario for each counterexample to this folder'),
  promela: text('--promela <folder>', 'write each property with its machine as a Promela model for Spin instead'),
} as const;

/** Arguments of `nudgelab properties`. */
export type PropertiesArguments = ArgumentsOf<typeof propertiesOptions>;

import { defineCommand } from './command.ts';
import { propertiesOptions } from './properties/properties-options.ts';

/** `nudgelab properties`: proves temporal properties of a machine, or shows a shortest counterexample. */
export const propertiesCommand = defineCommand({
  name: 'properties',
  description:
    'Checks properties over time, such as "no prompt during a snooze", on every infinite path of a machine. A property ' +
    'is proven, or violated with a shortest counterexample, or vacuous because its conditions never occur. Without ' +
    'files it checks the properties of the specification that come with the program. Files end with .properties.yaml ' +
    'or .properties.json. With --out, the counterexamples become scenarios that every driver runs. Exit codes: 0 all ' +
    'properties are proven, 1 a property is violated or vacuous.',
  operands: { description: 'files of properties (default: those of the specification)' },
  options: propertiesOptions,
  examples: [
    { line: 'properties', meaning: 'prove the properties of the specification' },
    { line: 'properties team.properties.yaml --out found', meaning: 'check your own, and write counterexamples' },
    { line: 'properties --ruleset 2026-09 --json', meaning: 'use another ruleset, and print JSON' },
    { line: 'properties --machine tenant --names', meaning: 'list the names that properties can use' },
  ],
  run: async (args, context) => (await import('./properties/properties.ts')).properties(args, context),
});

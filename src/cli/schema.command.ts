import { defineCommand } from './command.ts';
import { schemaNames } from './schema/schema-names.ts';
import { schemaOptions } from './schema/schema-options.ts';

/** `nudgelab schema`: prints the published JSON Schemas. */
export const schemaCommand = defineCommand({
  name: 'schema',
  description:
    'Prints the JSON Schema of files that the program reads and writes: scenarios, facts, verdicts, fixtures, ' +
    'configuration, results, and the OpenAPI documents of its APIs. Without a name it lists them. Editors use the ' +
    'schema `scenario` to complete and validate scenarios.',
  operands: { description: 'the schema to print', words: schemaNames },
  options: schemaOptions,
  examples: [
    { line: 'schema', meaning: 'list the schemas' },
    { line: 'schema scenario', meaning: 'print the schema of a scenario' },
    { line: 'schema --out docs/schemas', meaning: 'write all schemas to a folder' },
  ],
  run: async (args, context) => (await import('./schema/print-schema.ts')).printSchema(args, context),
});

import { defineCommand } from './command.ts';
import { doctorOptions } from './doctor/doctor-options.ts';

/** `nudgelab doctor`: checks whether the requirements of the other commands are met. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  description:
    'Checks Node, the configuration, the fixtures, the report folder, SQLite, the port and the browser, ' +
    'and, if specified, a database and a queue. Prints the result of each check and how to fix a failed ' +
    'one. Exit codes: 0 all passed, 1 a check failed.',
  operands: null,
  options: doctorOptions,
  examples: [
    { line: 'doctor', meaning: 'check this machine and the current folder' },
    {
      line: 'doctor --db postgres://localhost/nudgelab --queue redis://localhost:6379',
      meaning: 'also check PostgreSQL and Redis',
    },
    { line: 'doctor --json', meaning: 'print the checks as JSON' },
  ],
  run: async (args, context) => (await import('./doctor/doctor.ts')).examine(args, context),
});

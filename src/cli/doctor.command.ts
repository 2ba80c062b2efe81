import { defineCommand } from './command.ts';
import { doctorOptions } from './doctor/doctor-options.ts';

/** `nudgelab doctor`: tells whether everything is there that the other commands need. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'check that everything is there to run and serve',
  description:
    'Checks Node, the configuration, the fixtures, the folder of reports, SQLite, the port and the browser, and a store and a queue ' +
    'where they are named. Prints for each whether it is in order and what to do where it is not. Ends with 0 when all are, with 1 ' +
    'otherwise.',
  operands: null,
  options: doctorOptions,
  examples: [
    { line: 'doctor', meaning: 'check this machine and this folder' },
    {
      line: 'doctor --db postgres://localhost/nudgelab --queue redis://localhost:6379',
      meaning: 'check the database and the Redis too',
    },
    { line: 'doctor --json', meaning: 'print the checks as JSON' },
  ],
  run: async (args, context) => (await import('./doctor/doctor.ts')).examine(args, context),
});

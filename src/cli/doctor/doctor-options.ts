import type { ArgumentsOf } from '../command.ts';
import { integer } from '../option.ts';
import { portDefault } from '../serve/serve-options.ts';

/** The options of `nudgelab doctor`. */
export const doctorOptions = {
  port: integer('--port <number>', `port that serve would listen on; default: ${portDefault}`, { min: 0, max: 65_535 }),
} as const;

/** What the command is given. */
export type DoctorArguments = ArgumentsOf<typeof doctorOptions>;

import type { ArgumentsOf } from '../command.ts';
import { portDefault } from '../common-options.ts';
import { storeKinds } from '../open-store.ts';
import { integer, text } from '../option.ts';

/** Options of `nudgelab doctor`. */
export const doctorOptions = {
  port: integer('--port <number>', 'port that serve would use', { min: 0, max: 65_535, default: portDefault }),
  db: text('--db <store>', `also open this ${storeKinds}; an empty database becomes a store`),
  queue: text('--queue <address>', 'also check the Redis server of a queue: redis://host:port'),
} as const;

/** Arguments of `nudgelab doctor`. */
export type DoctorArguments = ArgumentsOf<typeof doctorOptions>;

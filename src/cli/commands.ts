import type { Command } from './command.ts';
import type { CommandName } from './command-list.ts';

/** Loaders of the commands by name. Each command is loaded on demand to keep startup fast. */
const loaders: Readonly<Record<CommandName, () => Promise<Command>>> = {
  run: async () => (await import('./run.command.ts')).runCommand,
  lint: async () => (await import('./lint.command.ts')).lintCommand,
  init: async () => (await import('./init.command.ts')).initCommand,
  shrink: async () => (await import('./shrink.command.ts')).shrinkCommand,
  fuzz: async () => (await import('./fuzz.command.ts')).fuzzCommand,
  serve: async () => (await import('./serve.command.ts')).serveCommand,
  exec: async () => (await import('./exec.command.ts')).execCommand,
  token: async () => (await import('./token.command.ts')).tokenCommand,
  clock: async () => (await import('./clock.command.ts')).clockCommand,
  users: async () => (await import('./users.command.ts')).usersCommand,
  'sign-ins': async () => (await import('./sign-ins.command.ts')).signInsCommand,
  documents: async () => (await import('./documents.command.ts')).documentsCommand,
  lookup: async () => (await import('./lookup.command.ts')).lookupCommand,
  generate: async () => (await import('./generate.command.ts')).generateCommand,
  mutate: async () => (await import('./mutate.command.ts')).mutateCommand,
  reduce: async () => (await import('./reduce.command.ts')).reduceCommand,
  prioritize: async () => (await import('./prioritize.command.ts')).prioritizeCommand,
  explore: async () => (await import('./explore.command.ts')).exploreCommand,
  learn: async () => (await import('./learn.command.ts')).learnCommand,
  properties: async () => (await import('./properties.command.ts')).propertiesCommand,
  conform: async () => (await import('./conform.command.ts')).conformCommand,
  ruleset: async () => (await import('./ruleset.command.ts')).rulesetCommand,
  explain: async () => (await import('./explain.command.ts')).explainCommand,
  export: async () => (await import('./export.command.ts')).exportCommand,
  replay: async () => (await import('./replay.command.ts')).replayCommand,
  import: async () => (await import('./import.command.ts')).importCommand,
  compare: async () => (await import('./compare.command.ts')).compareCommand,
  forecast: async () => (await import('./forecast.command.ts')).forecastCommand,
  doctor: async () => (await import('./doctor.command.ts')).doctorCommand,
  gallery: async () => (await import('./gallery.command.ts')).galleryCommand,
  docs: async () => (await import('./docs.command.ts')).docsCommand,
  schema: async () => (await import('./schema.command.ts')).schemaCommand,
  completion: async () => (await import('./completion.command.ts')).completionCommand(allCommands),
  mcp: async () => (await import('./mcp.command.ts')).mcpCommand,
  worker: async () => (await import('./worker.command.ts')).workerCommand,
};

/** Loaders of the commands by name, in the order of the help. */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map(Object.entries(loaders));

/** Loads all commands in the order of the help. */
export async function allCommands(): Promise<readonly Command[]> {
  return Promise.all([...commands.values()].map((load) => load()));
}

import type { Command } from './command.ts';

/** The commands by name, each loaded only when it is wanted, so that a short one starts at once. */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['run', async () => (await import('./run.command.ts')).runCommand],
  ['serve', async () => (await import('./serve.command.ts')).serveCommand],
  ['exec', async () => (await import('./exec.command.ts')).execCommand],
  ['token', async () => (await import('./token.command.ts')).tokenCommand],
  ['explain', async () => (await import('./explain.command.ts')).explainCommand],
  ['documents', async () => (await import('./documents.command.ts')).documentsCommand],
  ['lookup', async () => (await import('./lookup.command.ts')).lookupCommand],
  ['export', async () => (await import('./export.command.ts')).exportCommand],
  ['replay', async () => (await import('./replay.command.ts')).replayCommand],
  ['import', async () => (await import('./import.command.ts')).importCommand],
  ['generate', async () => (await import('./generate.command.ts')).generateCommand],
  ['compare', async () => (await import('./compare.command.ts')).compareCommand],
  ['explore', async () => (await import('./explore.command.ts')).exploreCommand],
  ['forecast', async () => (await import('./forecast.command.ts')).forecastCommand],
  ['worker', async () => (await import('./worker.command.ts')).workerCommand],
  ['mutate', async () => (await import('./mutate.command.ts')).mutateCommand],
  ['fuzz', async () => (await import('./fuzz.command.ts')).fuzzCommand],
  ['shrink', async () => (await import('./shrink.command.ts')).shrinkCommand],
  ['lint', async () => (await import('./lint.command.ts')).lintCommand],
  ['schema', async () => (await import('./schema.command.ts')).schemaCommand],
  ['completion', async () => (await import('./completion.command.ts')).completionCommand(allCommands)],
  ['doctor', async () => (await import('./doctor.command.ts')).doctorCommand],
  ['init', async () => (await import('./init.command.ts')).initCommand],
]);

/** All commands, in the order of the help. */
export async function allCommands(): Promise<readonly Command[]> {
  return Promise.all([...commands.values()].map((load) => load()));
}

import type { CommandContext } from './context.ts';

/** Writes the suggested commands of a text as they are entered here. In a checkout, they begin with its npm script. */
export function withProgram(text: string, { program }: Pick<CommandContext, 'program'>): string {
  return text.replaceAll('`nudgelab ', `\`${program} `);
}

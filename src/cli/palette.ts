import { styleText } from 'node:util';
import { type Palette, plainPalette } from '../report/palette.ts';
import type { CommandContext, TextSink } from './context.ts';

const colors: Palette = {
  strong: (text) => styleText('bold', text, { validateStream: false }),
  faint: (text) => styleText('dim', text, { validateStream: false }),
  good: (text) => styleText('green', text, { validateStream: false }),
  bad: (text) => styleText('red', text, { validateStream: false }),
  doubtful: (text) => styleText('yellow', text, { validateStream: false }),
};

/**
 * Returns the colors for an output. There are none without a terminal, with NO_COLOR set, or if the caller disabled
 * them.
 */
export function paletteFor(sink: TextSink, { env }: Pick<CommandContext, 'env'>, wanted = true): Palette {
  const refused = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return wanted && sink.isTty && !refused ? colors : plainPalette;
}

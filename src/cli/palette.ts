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

/** The colors for a sink: none when it is no terminal, when NO_COLOR is set, or when the caller wants none. */
export function paletteFor(sink: TextSink, { env }: Pick<CommandContext, 'env'>, wanted = true): Palette {
  const refused = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return wanted && sink.isTty && !refused ? colors : plainPalette;
}

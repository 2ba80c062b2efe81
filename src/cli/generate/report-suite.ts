import { join, relative } from 'node:path';
import { formatCount } from '../../core/format-count.ts';
import type { SizeProof } from '../../generate/generation.ts';
import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { certificateLines } from './certificate-text.ts';
import type { GenerateArguments } from './generate-options.ts';
import type { WrittenFiles } from './written-folder.ts';

/** Written suite to report. */
export interface ReportedSuite {
  readonly title: string;
  readonly sizeProof: SizeProof;
  readonly written: WrittenFiles;
  readonly folder: string;
  readonly elapsedMs: number;
}

/** Prints the size and the coverage of a suite, and where it was written. */
export function reportSuite(args: GenerateArguments, context: CommandContext, reported: ReportedSuite): void {
  const { title, sizeProof, written, folder, elapsedMs } = reported;
  const place = relative(context.cwd, folder) || '.';
  if (args.json) {
    const files = written.written.map((path) => join(place, path));
    const removed = written.removed.map((path) => join(place, path));
    printJson(context.stdout, { title, sizeProof, files, removed, elapsedMs });
    return;
  }
  const { strong, bad, faint } = paletteFor(context.stdout, context, args.color);
  print(context.stdout, { title, sizeProof, place }, (visible) => [
    `${strong(visible.title)} ${faint(`${elapsedMs} ms`)}`,
    ...certificateLines(visible.sizeProof).map((line) => `  ${line}`),
    ...visible.sizeProof.unreachable.map((name) => `  ${faint(`unreachable: ${name}`)}`),
    ...(visible.sizeProof.omitted ?? []).map((name) => `  ${faint(`not shown: ${name}`)}`),
    ...(visible.sizeProof.complete ? [] : [`  ${bad('Partial result: the time limit was reached.')}`]),
    `  ${formatCount(written.written.length, 'file')} in ${visible.place}${removedText(written.removed.length)}`,
  ]);
}

function removedText(count: number): string {
  return count === 0 ? '' : `; removed ${formatCount(count, 'file')} of the previous run`;
}

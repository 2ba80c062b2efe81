import { glossary, type RefusedPhrase, refusedPhrases } from './glossary.ts';
import { listTexts, type TextPart } from './texts.ts';

/** Phrases that texts must not contain. */
export const refused: readonly RefusedPhrase[] = refusedPhrases(glossary);

/**
 * Files that may contain rejected phrases: the glossary itself, the tests that insert such phrases, and texts in
 * other languages.
 */
const exempt = /^(docs\/reference\/glossary\.md|test\/conventions\/plain-words\.long\.test\.ts|.*\/texts\/arabic\.ts)$/;

/** File of the repository. */
interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Lists the texts of files to which the glossary applies. */
export function collectTexts(files: readonly SourceFile[]): readonly TextPart[] {
  return files.filter(({ path }) => !exempt.test(path)).flatMap(({ path, text }) => listTexts(path, text));
}

/** Finds the texts that contain a phrase as whole words, ignoring case. */
export function findPhrase({ phrase }: RefusedPhrase, texts: readonly TextPart[]): readonly TextPart[] {
  const pattern = new RegExp(`(?<![\\w-])${phrase.replaceAll(/[-/\\^$*+?.()|[\]{}]/g, '\\$&')}(?![\\w-])`, 'i');
  return texts.filter(({ text }) => pattern.test(text));
}

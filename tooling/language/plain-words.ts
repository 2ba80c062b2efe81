import { glossary, type RefusedPhrase, refusedPhrases } from './glossary.ts';
import { listTexts, type TextPart } from './texts.ts';

/** The phrases that texts do not contain. */
export const refused: readonly RefusedPhrase[] = refusedPhrases(glossary);

/** The glossary states what it refuses, and the tests of it plant some; another language has words of its own. */
const exempt = /^(docs\/reference\/glossary\.md|test\/conventions\/plain-words\.long\.test\.ts|.*\/texts\/arabic\.ts)$/;

/** A file of the repository. */
interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Lists the texts of files that the glossary holds for. */
export function textsOf(files: readonly SourceFile[]): readonly TextPart[] {
  return files.filter(({ path }) => !exempt.test(path)).flatMap(({ path, text }) => listTexts(path, text));
}

/** Finds the texts with a phrase as whole words, whatever the case. */
export function findPhrase({ phrase }: RefusedPhrase, texts: readonly TextPart[]): readonly TextPart[] {
  const pattern = new RegExp(`(?<![\\w-])${phrase.replaceAll(/[-/\\^$*+?.()|[\]{}]/g, '\\$&')}(?![\\w-])`, 'i');
  return texts.filter(({ text }) => pattern.test(text));
}

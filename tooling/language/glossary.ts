import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const words = z.array(z.string().min(1)).default([]);

const glossarySchema = z.strictObject({
  terms: z.array(
    z.strictObject({
      concept: z.string().min(1),
      term: z.string().min(1),
      /** Synonyms that must not be used in this meaning. */
      avoid: words,
      /** Phrases that must not occur in any text. */
      texts: words,
      /** Words that must not occur in any name. A hyphen matches a capital letter in the name. */
      identifiers: words,
      note: z.string().optional(),
    }),
  ),
  plain: z.array(z.strictObject({ avoid: z.string().min(1), use: z.string().min(1) })),
  names: z.strictObject({
    /** Ending that names of functions must not have. */
    functionEnding: z.strictObject({ avoid: z.string().min(1), use: z.string().min(1) }),
    /** Names that parameters must not have. */
    parameters: z.array(z.strictObject({ avoid: z.string().min(1), use: z.string().min(1) })).min(1),
    /** Words that no declared name may contain. */
    words: z
      .array(
        z.strictObject({
          avoid: z.array(z.string().min(1)).min(1),
          use: z.string().min(1),
          /** Names that a protocol or a package defines. */
          allowed: words,
        }),
      )
      .min(1),
  }),
});

export type Glossary = z.infer<typeof glossarySchema>;

/** Phrase that texts must not contain, with its replacement. */
export interface RefusedPhrase {
  readonly phrase: string;
  readonly use: string;
}

/** Terms of the project. */
export const glossary: Glossary = glossarySchema.parse(
  parse(readFileSync(new URL('glossary.yaml', import.meta.url), 'utf8')),
);

/** Lists the phrases that texts must not contain. */
export function refusedPhrases({ terms, plain }: Glossary): readonly RefusedPhrase[] {
  return [
    ...terms.flatMap(({ term, texts }) => texts.map((phrase) => ({ phrase, use: term }))),
    ...plain.map(({ avoid, use }) => ({ phrase: avoid, use })),
  ];
}

/** Renders the blocks of the glossary page. */
export function glossaryBlocks({ terms, plain }: Glossary): readonly string[] {
  const rows = terms.map(({ concept, term, avoid, note = '' }) => [`**${term}**`, concept, avoid.join(', '), note]);
  const plainRows = plain.map(({ avoid, use }) => [avoid, use]);
  return [
    'One term for one concept in the console, pages, messages, code and documentation. ' +
      '`npm run check` rejects the synonyms that have no other meaning.',
    table(['Term', 'Concept', 'Not', 'Note'], rows),
    '## Plain words',
    table(['Not', 'But'], plainRows),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

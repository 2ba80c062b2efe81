import { Visitor } from 'oxc-parser';
import { glossary } from '../../../tooling/language/glossary.ts';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import { type ConventionRule, isSource } from './convention-rule.ts';

/** Convention: names use the terms of the glossary and no synonyms. */
export const glossaryTerms: ConventionRule = {
  id: 'glossary-terms',
  claim: 'names use the words of the glossary, never a synonym',
  covers: isSource,
  inspect: (file) => {
    const seen = new Map<string, number>([[file.path.split('/').at(-1) ?? '', 0]]);
    const foreign = new Set<number>();
    new Visitor({
      // Names that packages and the platform define are not checked.
      ImportSpecifier: ({ imported, local }) => {
        if (imported.start !== local.start) foreign.add(imported.start);
      },
      MemberExpression: ({ computed, property }) => {
        if (!computed) foreign.add(property.start);
      },
      Identifier: ({ name, start }) => {
        if (!foreign.has(start) && !seen.has(name)) seen.set(name, start);
      },
    }).visit(parse(file).program);
    return [...seen].flatMap(([name, offset]) => objections(file, name, offset));
  },
  canaries: [
    planted('src/server/login.page.ts', ''),
    planted('src/server/sign-in.page.ts', 'export const loginMs = 1;'),
    planted('src/server/sign-in.page.ts', 'export interface User { readonly postponements: number }'),
    planted('src/server/sign-in.page.ts', 'export function f(ruleSet: string): string { return ruleSet; }'),
  ],
  innocents: [
    planted(
      'src/server/sign-in.page.ts',
      'export const sessionMs = 1; export const logInput = 2; export const loginHint = 3;',
    ),
  ],
};

function objections(file: TextFile, name: string, offset: number): readonly Fault[] {
  const words = `-${name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[_.]/g, '-')
    .toLowerCase()}-`
    // `login_hint` is a parameter of OpenID Connect.
    .replace('-login-hint-', '-');
  return glossary.terms.flatMap(({ term, identifiers }) => {
    const synonym = identifiers.find((word) => words.includes(`-${word}-`) || words.includes(`-${word}s-`));
    if (synonym === undefined) return [];
    return [
      {
        path: file.path,
        line: lineAt(file.text, offset),
        message: `names ${name}: the word is "${term}", not "${synonym}".`,
      },
    ];
  });
}

function planted(path: string, text: string): TextFile {
  return { path, text };
}

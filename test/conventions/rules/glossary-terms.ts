import { type Node, Visitor } from 'oxc-parser';
import { glossary } from '../../../tooling/language/glossary.ts';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import { type ConventionRule, isTypeScript } from './convention-rule.ts';
import { includesWord, splitName } from './name-words.ts';

/** Names that a protocol or a package defines, or that a test needs because they are wrong, by file. */
const definedElsewhere = new Map([
  ['bench/journeys.ts', ['login']],
  ['test/contract/schemas/bent-files.ts', ['signin']],
  ['test/report/report.test.ts', ['testcase']],
]);

/** Parameters and settings of OpenID Connect. */
const openIdNames = ['login_hint', 'initiate_login_uri'];

/** Convention: names use the terms of the glossary and no synonyms. */
export const glossaryTerms: ConventionRule = {
  id: 'glossary-terms',
  claim: 'names use the words of the glossary, never a synonym',
  // The site has a page that is called Playground.
  covers: (path) => isTypeScript(path) && !/^(test\/)?site\//.test(path),
  inspect: (file) => {
    const seen = new Map<string, number>([[file.path.split('/').at(-1) ?? '', 0]]);
    const foreign = new Set<number>();
    const see = ({ name, start }: SeenName): void => {
      if (!foreign.has(start) && !seen.has(name)) seen.set(name, start);
    };
    const seeKey = ({ key }: { readonly key: Node }): void => {
      if (key.type === 'Literal' && typeof key.value === 'string') see({ name: key.value, start: key.start });
    };
    new Visitor({
      // Names that packages and the platform define are not checked.
      ImportSpecifier: ({ imported, local }) => {
        if (imported.start !== local.start) foreign.add(imported.start);
      },
      MemberExpression: ({ computed, property }) => {
        if (!computed) foreign.add(property.start);
      },
      Identifier: see,
      PrivateIdentifier: see,
      PropertyDefinition: seeKey,
      Property: seeKey,
      TSPropertySignature: seeKey,
    }).visit(parse(file).program);
    return [...seen].flatMap(([name, offset]) => objections(file, name, offset));
  },
  canaries: [
    planted('src/server/login.page.ts', ''),
    planted('src/server/sign-in.page.ts', 'export const loginMs = 1;'),
    planted('src/server/sign-in.page.ts', 'export interface User { readonly postponements: number }'),
    planted('src/server/sign-in.page.ts', 'export function f(ruleSet: string): string { return ruleSet; }'),
    planted('src/server/tokens.ts', 'const tokenDesk = 1;'),
    planted('src/server/tokens.ts', 'class TokenDesk {}'),
    planted('src/server/tokens.ts', 'class Tokens { readonly #tokenShelves = 1; }'),
    planted('src/server/tokens.ts', 'class Tokens { #openDrawer(): void {} }'),
    planted('src/server/tokens.ts', "type Tokens = { readonly 'tokenKeeper': string };"),
    planted('src/server/tokens.ts', 'const { desk } = tokens;'),
    planted('src/server/tokens.ts', 'const { service: desk } = tokens;'),
    planted('src/server/tokens.ts', 'const [desk] = tokens;'),
    planted('src/server/tokens.ts', "import { service as tokenDesk } from './service.ts';"),
    planted('src/authenticators/profile.ts', 'export interface Profile { readonly temperId: string }'),
    planted('src/forecast/inputs.ts', 'export type TokenKnobs = string;'),
    planted('console/src/views/scenarios.view.tsx', 'function SuiteDesk() { return <p>Suite</p>; }'),
    planted('console/src/views/scenario-file.view.tsx', 'interface DeskProps { readonly line: number }'),
    planted('console/src/journey/filmstrip.tsx', 'export const useFilm = () => null;'),
    planted('test/cli/serve-suite.test.ts', 'async function deskWith(): Promise<void> {}'),
    planted('bench/documents.ts', 'const tokenShelf = 1;'),
    planted('tooling/release.ts', 'export const tokenClockwork = 1;'),
  ],
  innocents: [
    planted(
      'src/server/sign-in.page.ts',
      'export const sessionMs = 1; export const logInput = 2; export const loginHint = 3;',
    ),
    planted(
      'src/server/devices.ts',
      'export const desktop = 1; export const filmstrip = 2; export const housekeeperId = 3;',
    ),
    planted('src/server/oidc/clients.ts', "export const client = { login_hint: 'ada', initiate_login_uri: null };"),
    planted('src/server/oidc/clients.ts', "import { tokenShelf as cache } from 'package'; use(cache.tokenShelf);"),
  ],
};

interface SeenName {
  readonly name: string;
  readonly start: number;
}

function objections(file: TextFile, name: string, offset: number): readonly Fault[] {
  if (definedElsewhere.get(file.path)?.includes(name) || openIdNames.includes(name)) return [];
  const split = splitName(name).replace('-login-hint-', '-');
  return glossary.terms.flatMap(({ term, identifiers }) => {
    const synonym = identifiers.find((word) => includesWord(split, word));
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

import { type Node, Visitor } from 'oxc-parser';
import { glossary } from '../../../tooling/language/glossary.ts';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import { type ConventionRule, isTypeScript } from './convention-rule.ts';
import { includesWord, splitName } from './name-words.ts';

const { functionEnding, parameters, words } = glossary.names;

/** Convention: functions are named by a verb, parameters by a noun, and no declared name contains a refused word. */
export const plainNames: ConventionRule = {
  id: 'plain-names',
  claim: 'functions are named by a verb, parameters by a noun, and no declared name contains a refused word',
  covers: isTypeScript,
  inspect: (file) => {
    const faults: Fault[] = [];
    const report = (offset: number, message: string): void => {
      faults.push({ path: file.path, line: lineAt(file.text, offset), message });
    };
    const checked = new Set<number>();
    const checkWords = ({ name, start }: DeclaredName): void => {
      if (checked.has(start)) return;
      checked.add(start);
      const split = splitName(name);
      const refused = words.find(
        ({ avoid, allowed }) => !allowed.includes(name) && avoid.some((word) => includesWord(split, word)),
      );
      if (refused !== undefined) report(start, `declares ${name}: use ${refused.use}.`);
    };
    const checkBinding = (pattern: Node): void => {
      for (const bound of listBindings(pattern)) checkWords(bound);
    };
    const checkFunctionName = ({ name, start }: DeclaredName): void => {
      if (name.length > functionEnding.avoid.length && name.endsWith(functionEnding.avoid)) {
        report(start, `names the function ${name}: use ${functionEnding.use}.`);
      }
    };
    const checkParameters = ({ params }: { readonly params: readonly Node[] }): void => {
      for (const parameter of params) {
        checkBinding(parameter);
        const name = findParameter(parameter);
        const refused = parameters.find(({ avoid }) => avoid === name?.name);
        if (name !== null && refused !== undefined) {
          report(name.start, `names the parameter ${name.name}: use ${refused.use}.`);
        }
      }
    };
    const checkKey = ({ key, computed }: { readonly key: Node; readonly computed: boolean }): void => {
      if (computed) return;
      if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') checkWords(key);
      if (key.type === 'Literal' && typeof key.value === 'string') checkWords({ name: key.value, start: key.start });
    };
    new Visitor({
      FunctionDeclaration: (declared) => {
        if (declared.id !== null) {
          checkFunctionName(declared.id);
          checkWords(declared.id);
        }
        checkParameters(declared);
      },
      FunctionExpression: checkParameters,
      ArrowFunctionExpression: checkParameters,
      TSFunctionType: checkParameters,
      TSMethodSignature: (declared) => {
        checkKey(declared);
        checkParameters(declared);
      },
      MethodDefinition: (declared) => {
        const { key } = declared;
        checkKey(declared);
        if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') checkFunctionName(key);
      },
      VariableDeclarator: ({ id, init }) => {
        const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
        if (isFunction && id.type === 'Identifier') checkFunctionName(id);
        checkBinding(id);
      },
      CatchClause: ({ param }) => {
        if (param !== null) checkBinding(param);
      },
      ClassDeclaration: ({ id }) => {
        if (id !== null) checkWords(id);
      },
      ImportSpecifier: ({ local }) => checkWords(local),
      PropertyDefinition: checkKey,
      Property: checkKey,
      TSPropertySignature: checkKey,
      TSInterfaceDeclaration: ({ id }) => checkWords(id),
      TSTypeAliasDeclaration: ({ id }) => checkWords(id),
      TSTypeParameter: ({ name }) => checkWords(name),
    }).visit(parse(file).program);
    return faults;
  },
  canaries: [
    planted('export function ruleOf(id: string): string { return id; }'),
    planted('function ruleOf(id: string): string { return id; }'),
    planted('const ruleOf = (id: string) => id;'),
    planted('class Rules { #ruleOf(id: string): string { return id; } }'),
    planted('function load(found: string): string { return found; }'),
    planted('const load = (shown = 1) => shown;'),
    planted('type Load = (...told: string[]) => void;'),
    planted('interface Loader { load(asked: string): void }'),
    planted('const told = await response.json();'),
    planted('const { told } = result;'),
    planted('const { error: told, ...rest } = result;'),
    planted('const [asked, setAsked] = useState(0);'),
    planted('const { pages: [anew] } = result;'),
    planted('interface Result { readonly told: string }'),
    planted("type Result = { readonly 'asked': string };"),
    planted('type RunAsked = string;'),
    planted('interface WorldState { readonly id: string }'),
    planted('class FoldedWorld {}'),
    planted('class Rules { readonly #wish = 1; }'),
    planted('class Rules { verifyAnew(): void {} }'),
    planted('function list<Told>(values: readonly Told[]): readonly Told[] { return values; }'),
    planted('function rolesAskedFor(): void {}'),
    planted('try { load(); } catch (told) { report(told); }'),
    planted('export const series = { asked: 1 };'),
    planted("import { page as told } from './page.ts';"),
    planted('const daysToldApart = 1;'),
    planted('const wishes = [];'),
    { path: 'console/src/faults.view.tsx', text: 'export const View = ({ told }: Props) => <p>{told}</p>;' },
  ],
  innocents: [
    planted('class Rules { static of(id: string): Rules { return new Rules(id); } }'),
    planted('const classOf = new Map<string, number>(); const offset = (index: number) => index;'),
    planted('function getRule({ found }: Result): string { return found; }'),
    planted('const found = list.find(isRequested); const worldwide = 1; const masked = true; const stolen = 2;'),
    planted('export const annotations = { openWorldHint: false };'),
    planted("const text = 'told'; report(result.told);"),
  ],
};

interface DeclaredName {
  readonly name: string;
  readonly start: number;
}

/** Lists the names that a pattern binds. Keys of destructured properties belong to their types. */
function listBindings(pattern: Node): readonly DeclaredName[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return listBindings(pattern.left);
    case 'RestElement':
      return listBindings(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : listBindings(element)));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        listBindings(property.type === 'RestElement' ? property.argument : property.value),
      );
    default:
      return [];
  }
}

/** Returns the identifier of a parameter, or `null` for a destructured one. */
function findParameter(parameter: Node): DeclaredName | null {
  switch (parameter.type) {
    case 'Identifier':
      return parameter;
    case 'AssignmentPattern':
      return findParameter(parameter.left);
    case 'RestElement':
      return findParameter(parameter.argument);
    default:
      return null;
  }
}

function planted(text: string): TextFile {
  return { path: 'src/server/rules.ts', text };
}

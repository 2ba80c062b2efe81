import { type Node, Visitor } from 'oxc-parser';
import { glossary } from '../../../tooling/language/glossary.ts';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import { type ConventionRule, isTypeScript } from './convention-rule.ts';

const { functionEnding, parameters } = glossary.names;

/** Convention: functions are named by a verb, and parameters by a noun. */
export const functionNames: ConventionRule = {
  id: 'function-names',
  claim: 'functions are named by a verb, and parameters by a noun',
  covers: isTypeScript,
  inspect: (file) => {
    const faults: Fault[] = [];
    const report = (offset: number, message: string): void => {
      faults.push({ path: file.path, line: lineAt(file.text, offset), message });
    };
    const checkName = (name: string, offset: number): void => {
      if (name.length > functionEnding.avoid.length && name.endsWith(functionEnding.avoid)) {
        report(offset, `names the function ${name}: use ${functionEnding.use}.`);
      }
    };
    const checkParameters = ({ params }: { readonly params: readonly Node[] }): void => {
      for (const parameter of params) {
        const name = findParameter(parameter);
        const refused = parameters.find(({ avoid }) => avoid === name?.name);
        if (name !== null && refused !== undefined) {
          report(name.start, `names the parameter ${name.name}: use ${refused.use}.`);
        }
      }
    };
    new Visitor({
      FunctionDeclaration: (declared) => {
        if (declared.id !== null) checkName(declared.id.name, declared.id.start);
        checkParameters(declared);
      },
      FunctionExpression: checkParameters,
      ArrowFunctionExpression: checkParameters,
      TSFunctionType: checkParameters,
      TSMethodSignature: checkParameters,
      MethodDefinition: ({ key }) => {
        if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') checkName(key.name, key.start);
      },
      VariableDeclarator: ({ id, init }) => {
        const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
        if (isFunction && id.type === 'Identifier') checkName(id.name, id.start);
      },
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
  ],
  innocents: [
    planted('class Rules { static of(id: string): Rules { return new Rules(id); } }'),
    planted('const classOf = new Map<string, number>(); const offset = (index: number) => index;'),
    planted('function getRule({ found }: Result): string { return found; }'),
  ],
};

/** Returns the identifier of a parameter, or `null` for a destructured one. */
function findParameter(parameter: Node): { readonly name: string; readonly start: number } | null {
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

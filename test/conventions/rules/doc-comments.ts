import type { Comment, ExportNamedDeclaration } from 'oxc-parser';
import { Visitor } from 'oxc-parser';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import { type ConventionRule, isSource } from './convention-rule.ts';

/** Convention: every exported function and class has a doc comment. */
export const docComments: ConventionRule = {
  id: 'doc-comments',
  claim: 'an exported function or class has a doc comment',
  covers: isSource,
  inspect: (file) => {
    const { program, comments } = parse(file);
    const faults: Fault[] = [];
    new Visitor({
      ExportNamedDeclaration: (node) => {
        const name = exportedFunction(node);
        if (name === null || hasDocComment(node.start, comments, file.text)) return;
        const message = `exports ${name} without a doc comment: say what it takes, returns and throws.`;
        faults.push({ path: file.path, line: lineAt(file.text, node.start), message });
      },
    }).visit(program);
    return faults;
  },
  canaries: [
    planted('export function evaluate(): void {}'),
    planted('// A line comment is not one.\nexport function evaluate(): void {}'),
    planted('/** Of the constant. */\nconst a = 1;\nexport function evaluate(): void {}'),
    planted('export const evaluate = (): void => {};'),
    planted('export class Evaluate {}'),
    planted('/** */\nexport function evaluate(): void {}'),
  ],
  innocents: [
    planted('/** Evaluates. */\nexport function evaluate(): void {}'),
    planted('/** Evaluates. */\n// Pure.\nexport const evaluate = (): void => {};'),
    planted('function inner(): void {}\nexport const days = 3;'),
  ],
};

/** Returns the name of an exported function or class, or `null` if the declaration exports something else. */
function exportedFunction({ declaration }: ExportNamedDeclaration): string | null {
  if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration') {
    return declaration.id?.name ?? null;
  }
  if (declaration?.type !== 'VariableDeclaration') return null;
  for (const { id, init } of declaration.declarations) {
    const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
    if (isFunction && id.type === 'Identifier') return id.name;
  }
  return null;
}

/** Checks whether the comments directly before the offset contain a doc comment with text. */
function hasDocComment(offset: number, comments: readonly Comment[], text: string): boolean {
  const before = comments.findLast((comment) => comment.end <= offset);
  if (before === undefined || text.slice(before.end, offset).trim() !== '') return false;
  const isDoc = before.type === 'Block' && before.value.startsWith('*') && /\w/.test(before.value);
  return isDoc || hasDocComment(before.start, comments, text);
}

function planted(text: string): TextFile {
  return { path: 'machines/evaluate.ts', text };
}

import type { ArrowFunctionExpression, Class, ClassElement, Expression, Function as FunctionNode } from 'oxc-parser';
import { docCommentBefore } from './doc-comment.ts';
import type { Declaration, DeclarationNode, SourceModule } from './source-module.ts';

/** Maximum length of a displayed value in characters. The parts of longer values are omitted. */
const shownValueLength = 200;

/**
 * Returns the kind of a declaration.
 *
 * @param declaration - declared name
 * @returns a word for headings
 */
export function getDeclarationKind({ node }: Declaration): 'class' | 'function' | 'interface' | 'type' | 'variable' {
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return 'class';
  if (node.type === 'TSInterfaceDeclaration') return 'interface';
  if (node.type === 'TSTypeAliasDeclaration') return 'type';
  if (node.type === 'VariableDeclarator') return isFunction(node.init) ? 'function' : 'variable';
  return 'function';
}

/**
 * Finds the function that a name declares.
 *
 * @param declaration - declared name
 * @returns the function, even if it is the value of a constant; `null` if the name is not a function
 */
export function findFunction({ node }: Declaration): ArrowFunctionExpression | FunctionNode | null {
  if (node.type === 'VariableDeclarator') return isFunction(node.init) ? node.init : null;
  return node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction' ? node : null;
}

/**
 * Formats a declaration as in the source, without function bodies and private members.
 *
 * @param declaration - declared name
 * @param isPublic - function that checks whether a declaration has its own section; members of other base classes
 *   are included
 * @returns TypeScript code
 */
export function formatSignature(declaration: Declaration, isPublic: (base: Declaration) => boolean): string {
  const { node, overloads, module } = declaration;
  if (overloads.length > 0) return overloads.map((one) => plainSignature(one, declaration)).join('\n');
  if (!isClass(node)) return plainSignature(node, declaration);
  const head = module.text.slice(node.start, node.body.start).trim();
  return `${head} {\n${[...listMembers(node, module), ...inheritedMembers(node, module, isPublic)].join('\n')}\n}`;
}

function isClass(node: DeclarationNode): node is Class {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

function isFunction(node: Expression | null): node is ArrowFunctionExpression | FunctionNode {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

function plainSignature(node: DeclarationNode, { name, module: { text } }: Declaration): string {
  if (node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction') return functionHead(node, text);
  if (node.type !== 'VariableDeclarator') return text.slice(node.start, node.end);
  const { id, init } = node;
  if (id.type !== 'Identifier') return `const { ${name} } = ${init === null ? '' : text.slice(init.start, init.end)}`;
  if (id.typeAnnotation) return `const ${text.slice(id.start, id.end)}`;
  return init === null ? `const ${name}` : `const ${name} = ${shownValue(init, text)}`;
}

/** Returns the text of a function without its body. */
function functionHead(node: ArrowFunctionExpression | FunctionNode, text: string): string {
  const head = text.slice(node.start, node.body === null ? node.end : node.body.start).trim();
  const plain = head.replace(/^async\s+/, '');
  return plain.endsWith('=>') ? plain.slice(0, -'=>'.length).trimEnd() : plain;
}

/** Formats a value. Function bodies and the parts of long values are omitted. */
function shownValue(node: Expression, text: string): string {
  if (isFunction(node)) return functionHead(node, text);
  const whole = text.slice(node.start, node.end);
  if (whole.length <= shownValueLength) return whole;
  if (node.type === 'ObjectExpression') return '{ /* … */ }';
  if (node.type === 'ArrayExpression') return '[/* … */]';
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const head = text.slice(node.start, (node.typeArguments ?? node.callee).end);
    return `${head}(/* … */)`;
  }
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') {
    return `${shownValue(node.expression, text)}${text.slice(node.expression.end, node.end)}`;
  }
  return '/* … */';
}

/** Lists the public members of a class, each with its doc comment. */
function listMembers({ body }: Class, module: SourceModule): readonly string[] {
  return body.body.filter(isPublicMember).map((member) => {
    const comment = docCommentBefore(member.start, module.comments, module.text);
    const doc = comment === null ? '' : `  ${module.text.slice(comment.start, comment.end)}\n`;
    return `${doc}  ${memberHead(member, module)};`;
  });
}

function isPublicMember(member: ClassElement): boolean {
  if (member.type === 'StaticBlock') return false;
  if (member.type === 'TSIndexSignature') return true;
  return member.key.type !== 'PrivateIdentifier' && (member.accessibility ?? 'public') === 'public';
}

function memberHead(member: ClassElement, { text, comments }: SourceModule): string {
  if (member.type === 'MethodDefinition') {
    const end = member.value.body?.start ?? member.end;
    return cleanHead(text.slice(member.start, end));
  }
  if (member.type !== 'PropertyDefinition') return cleanHead(text.slice(member.start, member.end));
  const { value, typeAnnotation } = member;
  if (typeAnnotation) return cleanHead(text.slice(member.start, typeAnnotation.end));
  const head = text.slice(member.start, value?.start ?? member.end);
  if (value === null) return cleanHead(head);
  if (value.type !== 'ObjectExpression') return `${cleanHead(head)} ${shownValue(value, text)}`;
  const parts = value.properties.map((property) => {
    const comment = docCommentBefore(property.start, comments, text);
    const doc = comment === null ? '' : `    ${text.slice(comment.start, comment.end)}\n`;
    if (property.type !== 'Property') return `${doc}    ${text.slice(property.start, property.end)},`;
    const key = text.slice(property.key.start, property.key.end);
    return `${doc}    ${key}: ${shownValue(property.value, text)},`;
  });
  return `${cleanHead(head)} {\n${parts.join('\n')}\n  }`;
}

function cleanHead(head: string): string {
  return head
    .trim()
    .replace(/;$/, '')
    .replace(/\basync\s+/, '')
    .replace(/\boverride\s+/, '');
}

/** Lists the members that a class inherits from base classes without their own section. */
function inheritedMembers(
  node: Class,
  module: SourceModule,
  isPublic: (base: Declaration) => boolean,
): readonly string[] {
  if (node.superClass?.type !== 'Identifier') return [];
  const base = module.local(node.superClass.name);
  if (base === null || isPublic(base) || !isClass(base.node)) return [];
  const own = listMembers({ ...base.node, body: withoutConstructor(base.node) }, base.module);
  return [`\n  // Inherited from ${base.name}.`, ...own, ...inheritedMembers(base.node, base.module, isPublic)];
}

function withoutConstructor({ body }: Class): Class['body'] {
  const isConstructor = (member: ClassElement) => member.type === 'MethodDefinition' && member.kind === 'constructor';
  return { ...body, body: body.body.filter((member) => !isConstructor(member)) };
}

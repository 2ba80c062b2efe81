import { readFileSync } from 'node:fs';

/** Values of a test that replace those of the example in a guide. */
export interface GuideValues {
  readonly [example: string]: string;
}

const block = /```(?:js|ts)\n([\s\S]*?)```/g;
const importLine = /^import (?:(\{ [\w, ]+ \}|\* as \w+|\w+) from )?'([^']+)';$/gm;
const assigned = /^const (?:\{ )?(\w+)/gm;

/** Returns the code block of a guide that contains a text, with the values of a test. */
export function readGuideCode(path: string, text: string, values: GuideValues): string {
  const blocks = Array.from(readFileSync(path, 'utf8').matchAll(block), ([, body = '']) => body);
  const code = blocks.find((body) => body.includes(text));
  if (code === undefined) throw new Error(`${path} has no code block with ${JSON.stringify(text)}.`);
  return Object.entries(values).reduce((adapted, [example, value]) => adapted.replaceAll(example, value), code);
}

/**
 * Executes a code block of a guide, so the guide and the test cannot differ. Returns the values that it declares.
 *
 * @param path - path of the guide
 * @param text - text that occurs in the block
 * @param modules - modules that the block imports, by name
 * @param values - texts of the block with their replacements
 */
export async function runGuide<Declared>(
  path: string,
  text: string,
  modules: Readonly<Record<string, object>>,
  values: GuideValues,
): Promise<Declared> {
  const adapted = readGuideCode(path, text, values);
  const names = Array.from(adapted.matchAll(assigned), ([, name]) => name);
  const body = adapted.replaceAll(importLine, (_line, imported: string | undefined, name: string) => {
    if (modules[name] === undefined) throw new Error(`${path} imports ${name}, which the test does not have.`);
    // A module without names has its effect when the test imports it.
    if (imported === undefined) return '';
    const isDefault = !imported.startsWith('{') && !imported.startsWith('*');
    const names = isDefault ? `{ default: ${imported} }` : imported.replace('* as ', '');
    return `const ${names} = modules[${JSON.stringify(name)}];`;
  });
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const run = new AsyncFunction('modules', `${body}\nreturn { ${names.join(', ')} };`);
  return (await run(modules)) as Declared;
}

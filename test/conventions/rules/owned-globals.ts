import { type MemberExpression, Visitor } from 'oxc-parser';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import { type ConventionRule, isSource } from './convention-rule.ts';

/** Name that reaches outside the program, with the only place that may use it and the alternative for other files. */
interface OwnedName {
  readonly name: string;
  readonly owner: string;
  readonly instead: string;
}

const time = { owner: 'src/core/', instead: 'Take the time as a fact, or ask src/core/clock.ts.' };
const chance = { owner: 'src/core/', instead: 'Draw it from the seeded generator of src/core.' };
const outside = { owner: 'src/cli/main.ts', instead: 'Take it from the context that the command is given.' };

/**
 * Global names with one owner. A run depends only on its inputs: time and randomness come from src/core, and the
 * process comes from the program entry.
 */
const owned: readonly OwnedName[] = [
  ...names(['Date', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'Temporal'], time),
  ...names(['Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'], chance),
  ...names(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'], chance),
  ...names(['process', 'console'], outside),
  ...names(['timingSafeEqual'], {
    owner: 'src/core/secrets.ts',
    instead: 'Compare by sameSecret of src/core/secrets.ts.',
  }),
];
/** Node modules that provide an owned name. The table of module boundaries allows or rejects all other modules. */
const ownedModules: readonly OwnedName[] = [
  ...names(['node:timers', 'node:timers/promises', 'node:perf_hooks'], time),
  // Fixtures of a test runner do not receive a context.
  ...names(['node:process'], { ...outside, owner: 'src/testing/environment.ts' }),
];

/** Convention: the clock, randomness and the process are used only by their owners. */
export const ownedGlobals: ConventionRule = {
  id: 'owned-globals',
  claim:
    'time and chance are used in src/core alone, secrets are compared in src/core/secrets.ts alone, and the process and its ' +
    'console are used in src/cli/main.ts alone',
  covers: isSource,
  inspect,
  canaries: [
    planted('src/server/start.ts', 'export const now = () => Date.now();'),
    planted('machines/evaluate.ts', 'export const now = () => globalThis.Date.now();'),
    planted('machines/evaluate.ts', 'export const at = new Date(0);'),
    planted('src/server/start.ts', 'setTimeout(() => {}, 1);'),
    planted('src/server/start.ts', 'export const startMs = performance.now();'),
    planted('src/server/start.ts', 'export const id = Math.random();'),
    planted('src/server/start.ts', 'export const id = crypto.randomUUID();'),
    planted('src/server/start.ts', "import { randomUUID } from 'node:crypto';"),
    planted('src/server/start.ts', "import { randomUUID as id } from 'node:crypto';"),
    planted('src/server/start.ts', "import { setTimeout as wait } from 'node:timers/promises';"),
    planted('src/server/start.ts', "import { env } from 'node:process';"),
    planted('src/server/start.ts', 'export const { env } = process;'),
    planted('src/cli/run.command.ts', "console.log('done');"),
    planted('src/core/hmac.ts', "import { timingSafeEqual } from 'node:crypto';"),
    planted('src/server/identity/session.ts', "import { timingSafeEqual as same } from 'node:crypto';"),
  ],
  innocents: [
    planted('src/core/clock.ts', 'export const now = () => Date.now();'),
    planted('src/core/secrets.ts', "import { timingSafeEqual } from 'node:crypto';"),
    planted('src/cli/main.ts', 'process.exitCode = 0;'),
    planted('src/testing/environment.ts', "import { env } from 'node:process';"),
    planted('src/server/start.ts', "export const headers = { Date: 'Mon' }; export const date = headers.Date;"),
    planted('src/server/start.ts', 'export const random = (seeded: { random(): number }) => seeded.random();'),
    planted('src/server/start.ts', 'export interface Context { readonly process: string; readonly console: string }'),
  ],
};

function inspect(file: TextFile): readonly Fault[] {
  const faults: Fault[] = [];
  const report = (name: string, offset: number, table = owned): void => {
    const found = table.find((one) => one.name === name);
    if (found === undefined || file.path.startsWith(found.owner)) return;
    const message = `uses ${name}, which ${found.owner} alone may. ${found.instead}`;
    faults.push({ path: file.path, line: lineAt(file.text, offset), message });
  };
  const labels = new Set<number>();
  new Visitor({
    MemberExpression: (node) => {
      const name = memberName(node);
      if (name !== null) report(name.replace(/^(globalThis|global)\./, ''), node.start);
      if (!node.computed) labels.add(node.property.start);
    },
    Property: (node) => label(node, labels),
    PropertyDefinition: (node) => label(node, labels),
    MethodDefinition: (node) => label(node, labels),
    TSPropertySignature: (node) => label(node, labels),
    TSMethodSignature: (node) => label(node, labels),
    ImportDeclaration: (node) => report(node.source.value, node.start, ownedModules),
    ImportSpecifier: (node) => {
      if (node.imported.type === 'Identifier') report(node.imported.name, node.start);
      labels.add(node.imported.start).add(node.local.start);
    },
    Identifier: (node) => {
      if (!labels.has(node.start)) report(node.name, node.start);
    },
  }).visit(parse(file).program);
  return faults;
}

/** Records a key that only names a property and uses nothing. A shorthand property does use its name. */
function label(
  node: { readonly computed: boolean; readonly key: { readonly start: number }; readonly shorthand?: boolean },
  labels: Set<number>,
): void {
  if (!node.computed && node.shorthand !== true) labels.add(node.key.start);
}

/** Returns `a.b` for a member of a plain name, or `null` for any other expression. */
function memberName(node: MemberExpression): string | null {
  const { object, property } = node;
  if (node.computed || object.type !== 'Identifier' || property.type !== 'Identifier') return null;
  return `${object.name}.${property.name}`;
}

function names(list: readonly string[], rest: Omit<OwnedName, 'name'>): readonly OwnedName[] {
  return list.map((name) => ({ name, ...rest }));
}

function planted(path: string, text: string): TextFile {
  return { path, text };
}

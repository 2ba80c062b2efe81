import { alphabetSchema, learnableSteps } from '../../contract/alphabet.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import type { WrittenStep } from '../../contract/scenario.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';
import { getStepKind, type LearningAlphabet, listDefaultPages } from './learning-alphabet.ts';
import { parseSteps } from './learning-session.ts';

/** Maximum size of an alphabet file, in bytes. */
const alphabetBytesMax = 262_144;

/** Keys of steps that change more than the state of one user contains, with the allowed ones. */
const allowedKeys: Readonly<Record<string, readonly string[]>> = {
  setUser: ['user', 'methods', 'snooze'],
  setTenant: ['campaign'],
};

/**
 * Reads an alphabet file.
 *
 * @param path - path of the file
 * @param displayPath - path that problems name
 * @returns the alphabet
 * @throws NudgeLabError `learning-alphabet-invalid` with every problem as `file:line:column`, and `file-unreadable`
 */
export function readAlphabetFile(path: string, displayPath: string): LearningAlphabet {
  let source: YamlSource;
  try {
    source = YamlSource.ofFile(path, displayPath, alphabetBytesMax);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${displayPath} cannot be read: ${reason}.`, cause });
  }
  return readAlphabet(source);
}

function readAlphabet(source: YamlSource): LearningAlphabet {
  if (source.problems.length > 0) refuse(source.problems);
  const parsed = alphabetSchema.safeParse(source.data);
  if (!parsed.success) {
    refuse(
      listProblems(alphabetSchema, parsed.error, source.data, '').map(({ message, location }, at) => {
        const key = location.replace(/^\./, '');
        const place = source.place(parsed.error.issues[at]?.path ?? []);
        return { location: place, message: key === '' ? message : `${key}: ${message}` };
      }),
    );
  }
  const { ruleset = null, given, observe, inputs } = parsed.data;
  const problems = inputs.flatMap(({ name, step }, at) => [
    ...(inputs.findIndex((other) => other.name === name) < at
      ? [{ location: source.place(['inputs', at, 'name']), message: `"${name}" is the name of another input` }]
      : []),
    ...listStepProblems(step, source.place(['inputs', at, 'step'])),
  ]);
  const users = Object.keys(given.users);
  const [user] = users;
  if (user === undefined || users.length > 1) {
    const message = `must have exactly one user, and has ${users.length}`;
    problems.push({ location: source.place(['given', 'users']), message });
  }
  if (problems.length > 0) refuse(problems);
  const alphabet: LearningAlphabet = {
    ruleset,
    given: (source.data as { readonly given: LearningAlphabet['given'] }).given,
    user: user as string,
    observed: observe,
    inputs: inputs.map(({ name, step, pages }) => ({
      name,
      step: step as WrittenStep,
      pages: pages ?? listDefaultPages(Object.keys(step)[0] ?? ''),
    })),
  };
  checkSteps(alphabet, source);
  return alphabet;
}

function listStepProblems(step: object, location: string): readonly ValidationProblem[] {
  const kinds = Object.keys(step);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return [{ location, message: 'must have exactly one step' }];
  if (!(learnableSteps as readonly string[]).includes(kind)) {
    return [{ location, message: describeUnknownName(kind, learnableSteps) }];
  }
  const keys = Object.keys((Object.values(step)[0] ?? {}) as object);
  const allowed = allowedKeys[kind] ?? keys;
  return keys
    .filter((key) => !allowed.includes(key))
    .map((key) => ({ location, message: `${kind}.${key} cannot be learned; only ${allowed.join(', ')} can` }));
}

/** Checks that every step is one that a scenario with this initial state can have. */
function checkSteps(alphabet: LearningAlphabet, source: YamlSource): void {
  if (!alphabet.inputs.some(({ step }) => getStepKind(step) === 'signIn')) {
    refuse([{ location: source.place(['inputs']), message: 'must have an input with a signIn, which shows a page' }]);
  }
  try {
    parseSteps(alphabet);
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    throw new NudgeLabError('learning-alphabet-invalid', {
      problems: [{ location: source.place([]), message: error.message }],
      cause: error,
    });
  }
}

function refuse(problems: readonly ValidationProblem[]): never {
  throw new NudgeLabError('learning-alphabet-invalid', { problems });
}

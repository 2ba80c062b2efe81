import type { DeclaredFacts, FactValue, OwnRules, OwnRuleset } from '../../../../machines/own/own-ruleset.ts';
import { toInstant } from '../../../core/clock.ts';
import { mergePatch } from '../../../core/merge-patch.ts';
import type { Example } from '../check/search.ts';
import { joinFacts, type Pair } from './compared-space.ts';

/** Scenario of an example: what is given, and the attributes of its sign-ins. */
export interface WrittenExample {
  readonly clock?: string;
  readonly given: object;
  readonly signIn: object;
}

/** User of written examples. */
export const exampleUser = 'ada';

/** Writes the values of an example by their paths. */
export function writeFacts(example: Example, rulesets: Pair<OwnRuleset>): Readonly<Record<string, unknown>> {
  const facts = joinFacts(rulesets);
  const settings = { ...rulesets[1].first.settings, ...rulesets[0].first.settings };
  return Object.fromEntries([...example].map(([path, value]) => [path, writeValue(path, value, facts, settings)]));
}

/** Writes the facts of an example as the parts of a scenario, without the declared ones that have their default. */
export function writeExample(whole: Example, rulesets: Pair<OwnRuleset>): WrittenExample {
  const facts = joinFacts(rulesets);
  const settings = { ...rulesets[1].first.settings, ...rulesets[0].first.settings };
  const example = new Map([...whole].filter(([path, value]) => !isDefault(path, value, rulesets)));
  let given: unknown = { users: { [exampleUser]: {} } };
  let signIn: unknown = { user: exampleUser };
  let clock: string | undefined;
  for (const [path, value] of example) {
    const written = writeValue(path, value, facts, settings);
    const [owner = '', ...rest] = path.split('.');
    if (path === 'attempt.nowMs') clock = String(written);
    else if (path === 'kept.createdAt') given = withValue(given, ['users', exampleUser, 'createdAt'], written);
    else if (path === 'user.passkeys') {
      const passkeys = (value as readonly string[]).map((type) => ({ type, deviceId: 'device-1' }));
      given = withValue(given, ['users', exampleUser, 'passkeys'], passkeys);
    } else if (owner === 'attempt' && rest[0] !== 'id') signIn = withValue(signIn, rest, written);
    else if (owner === 'tenant') given = withValue(given, ['tenant', ...rest], written);
    else if (owner === 'user' && rest[0] !== 'id') given = withValue(given, ['users', exampleUser, ...rest], written);
  }
  return { ...(clock === undefined ? {} : { clock }), given: given as object, signIn: signIn as object };
}

/** Returns true if every ruleset that declares a fact or setting has this value as its default. */
function isDefault(path: string, value: FactValue, rulesets: Pair<OwnRuleset>): boolean {
  const [owner = '', group, name = ''] = path.split('.');
  if (group !== 'facts' && group !== 'settings') return false;
  const definitions = rulesets.flatMap(({ facts, first }) => {
    const definition = group === 'settings' ? first.settings[name] : facts[owner as keyof DeclaredFacts]?.[name];
    return definition === undefined ? [] : [definition];
  });
  return definitions.every((definition) => JSON.stringify(definition.default) === JSON.stringify(value));
}

function withValue(holder: unknown, path: readonly string[], value: unknown): unknown {
  const nested = path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value);
  return mergePatch(holder, nested, 'keep');
}

/** Writes a value as rulesets and scenarios do: instants as ISO 8601, durations with their unit. */
function writeValue(path: string, value: FactValue, facts: DeclaredFacts, settings: OwnRules['settings']): unknown {
  const [owner = '', group, name = ''] = path.split('.');
  const definition = group === 'settings' ? settings[name] : facts[owner as keyof DeclaredFacts]?.[name];
  const isInstant = definition?.type === 'instant' || path === 'attempt.nowMs' || path === 'kept.createdAt';
  if (isInstant && typeof value === 'number') return toInstant(value);
  return definition?.type === 'duration' ? `${String(value)}ms` : value;
}

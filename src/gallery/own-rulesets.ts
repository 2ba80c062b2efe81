import type { MethodKind, OwnAnswer, OwnRules, OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { computeSha256 } from '../core/digest.ts';
import { rememberOwnRuleset } from '../journal/ruleset-registry.ts';

/** Names of what the own campaigns of the gallery ask for, by kind. */
const labels: Readonly<Record<MethodKind, string>> = {
  passkey: 'passkey',
  app: 'authenticator app',
  totp: 'one-time codes',
  phone: 'phone number',
  email: 'email address',
  password: 'password',
  terms: 'terms of use',
  form: 'recovery contact',
};

/** Kinds of methods, each with an own campaign. */
export const galleryKinds = Object.keys(labels) as readonly MethodKind[];

const silent: OwnAnswer = { label: '', effects: ['nothing'], counts: false, for: null, whenRequired: 'refused' };

/** Rules that prompt at every sign-in for a method of a kind, with two answers. */
function createRules(kind: MethodKind, change: Partial<OwnRules>): OwnRules {
  return {
    edition: null,
    methods: { [kind]: { label: labels[kind], kind } },
    ask: kind,
    settings: {},
    trigger: { on: ['signIn'], factors: null },
    gates: ['X.trigger', 'X.never'],
    reasons: {},
    done: null,
    matrix: null,
    completion: { set: [], add: [] },
    answers: {
      later: { ...silent, label: 'Later', effects: ['snooze'], counts: true },
      never: { ...silent, label: 'Never', effects: ['never'] },
      close: silent,
      expire: silent,
      next: silent,
    },
    ledger: { keys: [['user']], ecosystems: {} },
    cadence: {
      kind: 'everySignIn',
      durations: [],
      signIns: null,
      anchor: 'answer',
      boundary: 'inclusive',
      measure: 'elapsed',
      zone: 'UTC',
    },
    limit: null,
    deadline: null,
    requirement: { required: null, blocked: null },
    failure: { skip: 'signsIn', stores: 'nothing' },
    lifetimeMs: 900_000,
    resets: [],
    rollout: null,
    screens: {},
    ...change,
  };
}

/** Makes an own campaign of the gallery available to its sandboxes. Returns its id. */
export function addGalleryRuleset(name: string, kind: MethodKind, change: Partial<OwnRules> = {}): string {
  const id = `gallery-${name}`;
  const rules = createRules(kind, change);
  const ruleset: OwnRuleset = {
    id,
    version: '1.0.0',
    title: `Own campaign for ${labels[kind]}`,
    description: null,
    source: [],
    digest: computeSha256(JSON.stringify([id, rules])),
    facts: { tenant: {}, user: {}, attempt: {} },
    first: rules,
    editions: [],
  };
  rememberOwnRuleset(ruleset);
  return id;
}

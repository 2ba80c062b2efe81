import type { LookupAccount, LookupField, LookupSetup, LookupToken, LookupTool, LookupType } from './lookup.schema.ts';

/**
 * Built-in tools with the fields that their results have in addition to the common fields. All names are fictitious.
 * Five ids occur in both lists, so clients cannot treat an id as unique without its type.
 */
const shippedFields: Readonly<Record<LookupType, Readonly<Record<string, readonly LookupField[]>>>> = {
  email: {
    quorvex: ['name', 'created_at'],
    plimbo: ['name', 'bio', 'followers', 'following'],
    tazzik: [],
    morvane: ['location'],
    zelphi: ['name'],
    krintle: ['bio', 'followers', 'posts', 'verified', 'created_at'],
    vosket: [],
    drumbly: ['created_at'],
    fennaro: ['name', 'language'],
    glimtok: ['followers', 'following', 'posts'],
    harvexa: [],
    jundora: ['name', 'location', 'created_at'],
    klaspio: ['verified'],
    lorvent: ['bio'],
    mipzora: [],
    noctavi: ['posts', 'created_at'],
    oberlynk: ['name', 'bio', 'location'],
    prandoz: [],
    rivokta: ['followers', 'verified'],
    snorvik: ['language'],
    tulvera: ['name', 'followers'],
    umbrixo: [],
    wexlar: ['name', 'bio', 'location', 'language', 'followers', 'following', 'posts', 'verified', 'created_at'],
  },
  username: {
    plimbo: ['name', 'bio', 'followers', 'following'],
    krintle: ['bio', 'followers', 'posts', 'verified', 'created_at'],
    glimtok: ['followers', 'following', 'posts'],
    rivokta: ['followers', 'verified'],
    wexlar: ['name', 'bio', 'location', 'language', 'followers', 'following', 'posts', 'verified', 'created_at'],
    yondrel: [],
    brivaxo: ['name', 'created_at'],
    cathrum: ['posts'],
    dwindex: [],
    elvotar: ['name', 'location'],
    fizzandro: ['bio', 'language'],
  },
};

/** Returns a query for which the tool always finds an account. */
export function createKnownQuery(type: LookupType, toolId: string): string {
  return type === 'email' ? `known@${toolId}.example` : `known-${toolId}`;
}

/** Returns a query for which the tool never finds an account. */
export function createUnknownQuery(type: LookupType, toolId: string): string {
  return type === 'email' ? `unknown@${toolId}.example` : `unknown-${toolId}`;
}

function shippedTools(type: LookupType): readonly LookupTool[] {
  return Object.entries(shippedFields[type]).map(([id, fields]) => ({
    id,
    name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
    fields: [...fields],
    latencyMs: 0,
    shareFound: 0.3,
    knownQuery: createKnownQuery(type, id),
    unknownQuery: createUnknownQuery(type, id),
    enabled: true,
  }));
}

/**
 * Test accounts: one of each tier and a suspended one. The password of each account is `correct horse`, and a test
 * verifies the hashes against it.
 */
const accounts: readonly LookupAccount[] = [
  {
    id: 'free',
    email: 'free@example.test',
    passwordHash: 'scrypt$1024$8$1$e52sOK4M3nPY258VGgBlgg$gXQiXSsEW_QZsUdcIQn-jiuCJPG_AQ16lUpBNs1QEKU',
    tier: 'free',
    suspended: false,
  },
  {
    id: 'premium',
    email: 'premium@example.test',
    passwordHash: 'scrypt$1024$8$1$BaKEAsCZWv2Xn-YlShjwOg$2zpq0rzbUkIJlxC5FD7xPX8W1P8aKhjo-N74FZviMlo',
    tier: 'premium',
    suspended: false,
  },
  {
    id: 'unlimited',
    email: 'unlimited@example.test',
    passwordHash: 'scrypt$1024$8$1$5JbQPw79ZgAC1LttZyw4Ag$Z8bVgL0NuHnmXgfhIqBpe-9whI2kDTdIfy9T04dSEtQ',
    tier: 'unlimited',
    suspended: false,
  },
  {
    id: 'suspended',
    email: 'suspended@example.test',
    passwordHash: 'scrypt$1024$8$1$YwXR_rhl7RbAu8XrWDAM3g$soIy0zseyB6LM45x7ZHHNODBIlMRopvZsJj_PtdPyYA',
    tier: 'premium',
    suspended: true,
  },
];

/** Test tokens: `test-token` of the premium account and `test-token-suspended` of the suspended account. */
const tokens: readonly LookupToken[] = [
  {
    id: 'test',
    account: 'premium',
    name: 'Test token',
    tokenHash: '4c5dc9b7708905f77f5e5d16316b5dfb425e68cb326dcd55a860e90a7707031e',
  },
  {
    id: 'test-suspended',
    account: 'suspended',
    name: 'Test token of a suspended account',
    tokenHash: '1fbc8840c470b42a23a472acbf03ea9b8f63f172c69d28fb711837aab920f084',
  },
];

/** Default lookup service of a sandbox. */
export const defaultLookup: LookupSetup = {
  tools: { email: shippedTools('email'), username: shippedTools('username') },
  accounts,
  tokens,
  settings: { resetUnit: 'epoch_s', costOfRefused: 0, costOfAll: 1 },
  known: [],
};

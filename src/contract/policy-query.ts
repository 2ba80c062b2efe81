import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { type Policy, policySchema } from './policy.schema.ts';
import { shown } from './policy-reader.ts';

/** The type that messages name the policy by. */
const typeName = 'authenticationMethodsPolicy';

/** What can be expanded: it stands in every answer, so that a client which asks for it gets what it asks for. */
const expandable = 'authenticationMethodConfigurations';

const properties: readonly string[] = Object.keys(policySchema.shape).filter((name) => !name.startsWith('@'));
const spelled = new Map(properties.map((name) => [name.toLowerCase(), name]));

/** Options that the policy has, by name without the dollar sign; `api-version` has no effect. */
const options = ['select', 'expand', 'api-version'] as const;
type Option = (typeof options)[number];

/** Options of other resources: known, and not for a single object. */
const foreignOptions = ['filter', 'top', 'skip', 'skiptoken', 'orderby', 'count', 'search', 'format'];

/** The properties that an answer is to have, in the order of the policy; `null` for all of them. */
export type Selection = readonly string[] | null;

/**
 * Reads the query of a request for the policy: `$select`, and `$expand` of what is there anyway, with or without the dollar sign and
 * in any case. Takes the query without the question mark. Throws `bad-request` naming every option that is unknown, not supported
 * here, repeated, or has a wrong value.
 */
export function readPolicyQuery(query: string): Selection {
  const problems: ValidationProblem[] = [];
  const given = new Map<Option, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const plain = name.toLowerCase().replace(/^\$/, '');
    const option = options.find((one) => one === plain);
    if (option === undefined)
      problems.push({ location: name, message: `${refusal(plain)}; allowed: $select, $expand` });
    else if (given.has(option)) problems.push({ location: name, message: 'is given more than once' });
    else given.set(option, value);
  }
  const selected = namesIn(given.get('select'), '$select', problems);
  const expanded = namesIn(given.get('expand'), '$expand', problems);
  for (const name of expanded.filter((one) => one !== expandable))
    problems.push({ location: '$expand', message: `${shown(name)} cannot be expanded; allowed: ${expandable}` });
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
  if (selected.length === 0 || selected.includes('*')) return null;
  return properties.filter((name) => selected.includes(name) || expanded.includes(name));
}

function refusal(plain: string): string {
  return foreignOptions.includes(plain)
    ? 'the query option is not supported for the policy'
    : 'the query option is unknown';
}

/** The names of a list that commas divide, as the policy spells them. */
function namesIn(list: string | undefined, place: string, problems: ValidationProblem[]): readonly string[] {
  if (list === undefined) return [];
  return list.split(',').flatMap((part) => {
    const name = part.trim();
    const known = name === '*' ? name : spelled.get(name.toLowerCase());
    if (known !== undefined) return [known];
    const allowed = `allowed: *, ${properties.join(', ')}`;
    const message =
      name === ''
        ? `a name is missing; ${allowed}`
        : `Could not find a property named '${shown(name).slice(1, -1)}' on type '${typeName}'; ${allowed}`;
    problems.push({ location: place, message });
    return [];
  });
}

/** The selected part of the policy; its context names what was selected. */
export function selectedFrom(policy: Policy, selection: readonly string[]): Partial<Policy> {
  const parts = Object.entries(policy).filter(([name]) => selection.includes(name));
  return { '@odata.context': `${policy['@odata.context']}(${selection.join(',')})`, ...Object.fromEntries(parts) };
}

const selectedSuffix = /\([\w,]*\)$/;

/** Whether a context is that of the policy, whole or of a selected part, so that a part can be sent back as it was answered. */
export function isContextFor(given: unknown, context: string): boolean {
  return typeof given === 'string' && given.replace(selectedSuffix, '') === context;
}

import { rulesetIds } from '../../machines/rulesets/ruleset-registry.ts';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import { builtInDrivers } from './config-values.ts';
import { assignments, list, text } from './option.ts';

/** Port of `serve` unless `--port` names another. */
export const portDefault = 4700;

/** Tenant fixture of the default sandbox and of `explain`. */
export const tenantDefault = 'app-enabled';

/** Server that a command sends its requests to. */
export const serverUrlOption = text('--url <address>', 'URL of the server', {
  default: `http://localhost:${portDefault}`,
});

/** Server that scenarios run against; without it, a command starts its own. */
export const runningServerOption = text('--url <address>', 'URL of a running server', {
  whenOmitted: 'start one',
});

export const sandboxOption = text('--sandbox <id>', 'id of the sandbox', { default: defaultSandboxId });

export const queueOption = text(
  '--queue <address>',
  'distribute the work to nudgelab worker processes through Redis: redis://host:port',
);

/** One driver. */
export function driverOption<const D extends string>(description: string, driver: D) {
  return text('--driver <name>', `${description}: ${builtInDrivers.join(', ')}, or a driver from the configuration`, {
    suggestions: builtInDrivers,
    default: driver,
  });
}

/** Several drivers. */
export function driversOption(description: string, settings: { readonly whenOmitted?: string } = {}) {
  return list('--driver <names>', `${description}: ${builtInDrivers.join(', ')}, or drivers from the configuration`, {
    suggestions: builtInDrivers,
    ...settings,
  });
}

/** Ruleset of a command, unless something narrower names one (OC34). */
export function rulesetOption(description: string, whenOmitted = 'ruleset of the configuration, or seed') {
  return text('--ruleset <ruleset>', description, { suggestions: rulesetIds, whenOmitted });
}

/** Value of `--properties` that stands for the properties of the specification. */
export const shippedPropertiesName = 'specification';

/** Temporal properties that are watched during a run. */
export const watchedPropertiesOption = list(
  '--properties <files>',
  `temporal properties to watch in the journal: ${shippedPropertiesName}, or files`,
  { suggestions: [shippedPropertiesName] },
);

/** Settings of rulesets. */
export const setOption = assignments(
  '--set <name=value>',
  'setting of the ruleset for tenants that do not set it; repeat the option for several',
);

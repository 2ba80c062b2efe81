import { expect, it } from 'vitest';
import { inMemory, planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { Tenants } from '../../../src/server/oidc/tenant-form/tenant-selection.ts';

it('CL10: a tenant of another process is found again after its sandbox was replaced', async () => {
  const others = await Sandboxes.open(inMemory());
  // This process has entered none of the sandboxes.
  const shared = {
    shared: true,
    list: () => [],
    ids: () => others.ids(),
    within: others.within.bind(others),
  } as unknown as Sandboxes;
  const tenants = new Tenants(shared);
  const plan = planSandbox({ settings: { directory: { verifiedDomains: ['contoso.example'] } } });
  await others.create('first', plan);
  expect(await tenants.find('Contoso.example', null)).toBe('first');
  await others.remove('first');
  expect(await tenants.find('contoso.example', null)).toBeNull();
  await others.create('second', plan);
  expect(await tenants.find('contoso.example', null)).toBe('second');
});

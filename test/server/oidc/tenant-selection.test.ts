import { describe, expect, it, vi } from 'vitest';
import { inMemory, planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { Tenants } from '../../../src/server/oidc/tenant-form/tenants.ts';
import { nonEmpty } from '../../non-empty.ts';

it('CL10: a tenant of another process is found again after its sandbox was replaced', async () => {
  const others = await Sandboxes.open(inMemory());
  // This process has entered none of the sandboxes.
  const shared = {
    shared: true,
    versions: async () =>
      new Map((await others.ids()).map((id) => [id, `${id} ${others.get(id).recorder.state().lastSeq}`])),
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

describe('CL10: index of tenants', () => {
  const toSettings = (verifiedDomains: readonly string[]) =>
    verifiedDomains.length === 0 ? {} : { directory: { verifiedDomains } };
  const plan = (...verifiedDomains: readonly string[]) => planSandbox({ settings: toSettings(verifiedDomains) });
  const setDomains = (sandboxes: Sandboxes, id: string, ...verifiedDomains: readonly string[]) =>
    sandboxes.get(id).directory.putSettings(toSettings(verifiedDomains), 'control-api');

  it('follows sandboxes that are created, renamed, restored, removed and replaced', async () => {
    const sandboxes = await Sandboxes.open(inMemory());
    const tenants = new Tenants(sandboxes);
    expect(await tenants.find('contoso.example', null)).toBeNull();
    await sandboxes.create('a', plan('contoso.example'));
    expect(await tenants.find('CONTOSO.example', null)).toBe('a');
    const { name } = await sandboxes.snapshot('a');
    await setDomains(sandboxes, 'a', 'fabrikam.example');
    expect(await tenants.find('contoso.example', null)).toBeNull();
    expect(await tenants.find('fabrikam.example', null)).toBe('a');
    await sandboxes.restore('a', name);
    expect(await tenants.find('fabrikam.example', null)).toBeNull();
    expect(await tenants.find('contoso.example', null)).toBe('a');
    await sandboxes.remove('a');
    await sandboxes.create('b', plan());
    expect(await tenants.find('contoso.example', null)).toBeNull();
    await sandboxes.remove('b');
    await sandboxes.create('a', plan('northwind.example'));
    expect(await tenants.find('contoso.example', null)).toBeNull();
    expect(await tenants.find('northwind.example', null)).toBe('a');
    await setDomains(sandboxes, 'a', 'contoso.example');
    expect(await tenants.find('contoso.example', null)).toBe('a');
  });

  it('selects the default sandbox among several with one name, then the one that was created first', async () => {
    const sandboxes = await Sandboxes.open(inMemory());
    const tenants = new Tenants(sandboxes);
    for (const id of ['b', 'a']) await sandboxes.create(id, plan('contoso.example'));
    expect(await tenants.find('contoso.example', null)).toBe('b');
    expect(await tenants.find('contoso.example', 'a')).toBe('a');
    await sandboxes.create('default', plan());
    expect(await tenants.find('contoso.example', null)).toBe('b');
    await setDomains(sandboxes, 'default', 'contoso.example');
    expect(await tenants.find('contoso.example', null)).toBe('default');
    await setDomains(sandboxes, 'default');
    await setDomains(sandboxes, 'b', 'fabrikam.example');
    expect(await tenants.find('contoso.example', null)).toBe('a');
    await setDomains(sandboxes, 'b', 'contoso.example');
    expect(await tenants.find('contoso.example', null)).toBe('b');
    expect(await tenants.find('contoso.example', 'none')).toBeNull();
  });

  it('a second request reads the state of no sandbox', async () => {
    const sandboxes = await Sandboxes.open(inMemory());
    for (let number = 0; number < 50; number += 1) await sandboxes.create(`s${number}`, plan(`${number}.example`));
    const tenants = new Tenants(sandboxes);
    expect(await tenants.find('49.example', null)).toBe('s49');
    const read = sandboxes.list().map(({ recorder }) => vi.spyOn(recorder, 'state'));
    expect(await tenants.find('49.example', null)).toBe('s49');
    expect(await tenants.find('none.example', null)).toBeNull();
    for (const spy of nonEmpty(read)) expect(spy).not.toHaveBeenCalled();
  });
});

import { describe, expect, test } from 'vitest';
import { createDialectSchema } from '../../../src/contract/directory-api/dialect.schema.ts';
import { type Dialect, getDialect, getErrorArea } from '../../../src/contract/directory-api/dialect.ts';
import { parseOr } from '../../../src/contract/parse.ts';
import { tenantSettingsSchema } from '../../../src/contract/sandbox.schema.ts';
import type { NudgeLabError } from '../../../src/core/errors.ts';
import { nonEmpty } from '../../non-empty.ts';

function dialectWith(settings: unknown): Dialect {
  return getDialect(tenantSettingsSchema.parse(settings));
}

const seed = dialectWith({});
const entra = dialectWith({ dialect: 'entra' });

describe('DIR90 data of a dialect', () => {
  test('DIR90 the built-in dialects match the schema, and seed is the default', () => {
    expect(createDialectSchema().parse(seed.data)).toEqual(seed.data);
    expect(createDialectSchema().parse(entra.data)).toEqual(entra.data);
    expect(seed.data.name).toBe('seed');
    expect(entra.data.userProperties).toEqual(seed.data.userProperties);
  });

  test('DIR90 a file changes a built-in dialect: tables are merged, and lists are replaced', () => {
    const own = dialectWith({
      dialect: {
        extends: 'entra',
        name: 'own',
        words: { vendorAuthenticator: 'acmeApp' },
        errorCodes: { 404: 'Gone' },
        resourceIds: ['urn:acme'],
      },
    });
    expect(own.data).toMatchObject({ name: 'own', namespace: 'microsoft.graph', resourceIds: ['urn:acme'] });
    expect(own.authenticator).toBe('acmeApp');
    expect(own.getErrorCode(404, 'methods', undefined)).toBe('Gone');
    expect(own.getErrorCode(401, 'methods', undefined)).toBe('InvalidAuthenticationToken');
  });

  test.for<[string, unknown, string]>([
    ['an unknown name', 'azure', 'settings.dialect: "azure" is not'],
    ['a number', 3, 'settings.dialect: 3 is not'],
    ['an unknown key', { names: 'x' }, 'settings.dialect: {"names":"x"}: unknown key "names"; allowed'],
    ['an unknown base', { extends: 'azure' }, 'settings.dialect.extends: "azure" is not one of "seed", "entra"'],
    ['another form of ids', { wireIds: 'uuid' }, 'settings.dialect.wireIds: "uuid" is not one of "facts", "guid"'],
    ['a prefix without #', { typePrefix: 'graph.' }, 'settings.dialect.typePrefix: "graph.": must start with #'],
    ['a status that is none', { errorCodes: { 200: 'ok' } }, 'settings.dialect.errorCodes.200'],
    ['codes without a default', { errorCodes: { 404: { policy: 'x' } } }, 'settings.dialect.errorCodes.404'],
  ])('DIR90 %s is rejected, and the error names the location and the value', ([, dialect, message]) => {
    expect(() => parseOr('bad-request', tenantSettingsSchema, { dialect }, 'settings')).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }) as NudgeLabError,
    );
  });
});

describe('DIR91 names', () => {
  const rows: readonly (readonly [name: string, wire: string])[] = [
    ['vendorAuthenticator', 'microsoftAuthenticator'],
    ['VendorAuthenticator', 'MicrosoftAuthenticator'],
    ['vendorAuthenticatorMethods', 'microsoftAuthenticatorMethods'],
    ['vendorAuthenticatorAuthenticationMethod', 'microsoftAuthenticatorAuthenticationMethod'],
    ['vendorAuthenticatorPush', 'microsoftAuthenticatorPush'],
    ['fido2', 'fido2'],
  ];

  test.for(nonEmpty(rows))('DIR91 %s is %s on the wire, and both are understood', ([name, wire]) => {
    expect(entra.toWire(name)).toBe(wire);
    expect(seed.toWire(name)).toBe(name);
    for (const given of [name, wire, wire.toUpperCase()]) expect(entra.fromWire(given)).toBe(name.toLowerCase());
    expect(entra.toWireType(name)).toBe(`#microsoft.graph.${wire}`);
    expect(entra.fromWireType(`#graph.${wire}`)).toBe(name.toLowerCase());
  });

  test('DIR91 the name of the tenant for the authenticator app takes precedence in every dialect', () => {
    expect(dialectWith({ authenticatorWireName: 'acmeApp' }).toWire('vendorAuthenticatorPush')).toBe('acmeAppPush');
    const own = dialectWith({ dialect: 'entra', authenticatorWireName: 'acmeApp' });
    expect(own.toWireType('vendorAuthenticator')).toBe('#microsoft.graph.acmeApp');
  });

  test('DIR91 a name that differs by more than a word is in a table of its own', () => {
    const own = dialectWith({ dialect: { methodNames: { hardwareOath: 'token' }, logWords: { Browser: 'Web' } } });
    expect(own.toWire('hardwareOath')).toBe('token');
    expect(own.fromWire('Token')).toBe('hardwareoath');
    expect(own.toWire('Browser')).toBe('Web');
  });
});

describe('error codes by dialect', () => {
  type Cause = Parameters<Dialect['getErrorCode']>;
  const rows: readonly (readonly [cause: Cause, ofSeed: string, ofEntra: string])[] = [
    [[400, 'directory', undefined], 'badRequest', 'Request_BadRequest'],
    [[400, 'directory', 'segment'], 'badRequest', 'BadRequest'],
    [[400, 'directory', 'option'], 'badRequest', 'Request_UnsupportedQuery'],
    [[400, 'policy', 'option'], 'badRequest', 'badRequest'],
    [[401, 'reports', undefined], 'unauthenticated', 'InvalidAuthenticationToken'],
    [[403, 'directory', undefined], 'accessDenied', 'Authorization_RequestDenied'],
    [[403, 'reports', 'role'], 'accessDenied', 'Authentication_RequestFromUnsupportedUserRole'],
    [[403, 'logs', 'role'], 'accessDenied', 'Authentication_RequestFromUnsupportedUserRole'],
    [[403, 'logs', undefined], 'accessDenied', 'Authorization_RequestDenied'],
    [[403, 'methods', 'role'], 'accessDenied', 'accessDenied'],
    [[404, 'directory', undefined], 'notFound', 'Request_ResourceNotFound'],
    [[404, 'methods', undefined], 'notFound', 'resourceNotFound'],
    [[405, 'directory', undefined], 'methodNotAllowed', 'Request_BadRequest'],
    [[409, 'directory', undefined], 'conflict', 'Request_MultipleObjectsWithSameKeyValue'],
    [[412, 'policy', undefined], 'preconditionFailed', 'preconditionFailed'],
    [[413, 'policy', undefined], 'payloadTooLarge', 'RequestEntityTooLarge'],
    [[415, 'policy', undefined], 'unsupportedMediaType', 'UnsupportedMediaType'],
    [[424, 'directory', undefined], 'failedDependency', 'FailedDependency'],
    [[429, 'directory', undefined], 'tooManyRequests', 'TooManyRequests'],
    [[418, 'directory', undefined], 'badRequest', 'Request_BadRequest'],
    [[500, 'directory', undefined], 'internalError', 'internalError'],
  ];

  test.for(nonEmpty(rows))('DIR90 %j has the code %s in seed, and %s in entra', ([cause, ofSeed, ofEntra]) => {
    expect(seed.getErrorCode(...cause)).toBe(ofSeed);
    expect(entra.getErrorCode(...cause)).toBe(ofEntra);
  });

  test.for<[string, string]>([
    ['/v1.0/policies/authenticationMethodsPolicy', 'policy'],
    ['/s/a/beta/Policies/x', 'policy'],
    ['/v1.0/users/ada/authentication/methods', 'methods'],
    ['/me/authentication', 'methods'],
    ['/v1.0/reports/authenticationMethods/userRegistrationDetails', 'reports'],
    ['/beta/auditLogs/signIns', 'logs'],
    ['/v1.0/users/authentication-team', 'directory'],
  ])('DIR90 %s belongs to the area %s', ([path, area]) => {
    expect(getErrorArea(path)).toBe(area);
  });
});

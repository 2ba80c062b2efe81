import type { RequestHandler, Response } from 'express';
import { getSandbox } from '../../resolve-sandbox.ts';
import type { AddressForm } from '../providers.ts';
import { toTenantPageUrl } from './tenant-addresses.ts';
import { findTenant } from './tenant-selection.ts';

/** Returns the form of the address of a request. */
export function getAddressForm(response: Response): AddressForm {
  return findTenant(response) === undefined ? 'plain' : 'tenant';
}

/** Returns the URL of a page in the form of the request. `plainPath` is its path below the sandbox. */
export function getPageUrl(plainPath: string, response: Response): string {
  const { issuer: baseUrl } = getSandbox(response).tokens;
  const selected = findTenant(response);
  if (selected === undefined) return `${baseUrl}${plainPath}`;
  return toTenantPageUrl(plainPath, { baseUrl, tenant: encodeURIComponent(selected.tenant) });
}

/**
 * Redirects a page in the tenant form to the same page below its sandbox, at the host name of the issuer. Browsers send
 * the cookies of a sandbox only there, and both forms share them.
 */
export const openTenantPage: RequestHandler = (request, response, next) => {
  if (findTenant(response) === undefined) return next();
  const { headers, originalUrl, path } = request;
  const to = new URL(getPageUrl(path, response));
  const { pathname } = new URL(getSandbox(response).tokens.issuer);
  const isBelowSandbox = pathname === '/' || originalUrl.startsWith(`${pathname}/`);
  if (isBelowSandbox && headers.host === to.host) return next();
  const { search } = new URL(request.url, to);
  response.redirect(307, `${to.href}${search}`);
};

import { type Request, type RequestHandler, Router } from 'express';
import { type LookupType, lookupTypes } from '../../contract/lookup.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { ShownAccount } from '../../sandbox/lookup/lookup-results.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { FaultListener } from '../faults.ts';
import { toPageTenant } from '../identity/brand.ts';
import { pageErrors } from '../identity/page-errors.ts';
import { pageHeaders, sendPage } from '../identity/send-page.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { createAvatar } from './avatar.ts';
import { accountPath } from './lookup-paths.ts';
import { profilePage } from './profile.page.ts';

const account = ':type/:tool/:account';

/** Creates the routes for the profile pages and avatars of accounts, so every URL in lookup API responses works. */
export function accountPages(sandboxes: Sandboxes, { onFault }: { readonly onFault?: FaultListener } = {}): Router {
  const router = Router({ mergeParams: true });
  const resolve = resolveSandbox(sandboxes);
  router.get(`/lookup/profiles/${account}`, resolve, showProfile);
  router.get(`/lookup/avatars/${account}.svg`, resolve, showAvatar);
  router.use(accountPath, pageErrors(onFault, 'lookup'));
  return router;
}

const showProfile: RequestHandler = async (request, response) => {
  const sandbox = getSandbox(response);
  const { type, id } = parseRequest(request);
  const { tool, username, fields } = await loadAccount(sandbox, request);
  const document = profilePage({
    tenant: toPageTenant(sandbox),
    toolName: tool.name,
    toolId: tool.id,
    username: type === 'username' ? null : username,
    fields,
    avatar: `../../../avatars/${type}/${tool.id}/${id}.svg`,
  });
  sendPage(response, 200, document, { headers: { 'Content-Security-Policy': pictureFromHere } });
};

/** Content security policy that allows images from this server. The other pages allow only inline images. */
const pictureFromHere = pageHeaders['Content-Security-Policy'].replace('img-src data:', "img-src data: 'self'");

const showAvatar: RequestHandler = async (request, response) => {
  await loadAccount(getSandbox(response), request);
  const picture = createAvatar(parseRequest(request).id);
  response.writeHead(200, {
    'Content-Type': 'image/svg+xml',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(picture),
  });
  response.end(picture);
};

interface AccountPath {
  readonly type: LookupType | undefined;
  readonly toolId: string;
  readonly id: string;
}

function parseRequest({ params }: Request): AccountPath {
  const type = lookupTypes.find((known) => known === params['type']);
  return { type, toolId: String(params['tool']), id: String(params['account']) };
}

/** Returns the account of a URL. Throws `not-found` if the lookup API never returned this URL. */
async function loadAccount({ lookup }: Sandbox, request: Request): Promise<ShownAccount> {
  const { type, toolId, id } = parseRequest(request);
  const found = type === undefined ? null : await lookup.account(type, toolId, id);
  if (found !== null) return found;
  throw new NudgeLabError('not-found', { message: 'No tool has issued this URL.' });
}

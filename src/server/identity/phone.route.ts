import { type Request, type RequestHandler, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import { noteCaller } from '../request-log.ts';
import { getSandbox } from '../resolve-sandbox.ts';
import { getPhonePath } from './addresses.ts';
import { createReader, toPageTenant } from './brand.ts';
import { readForm } from './form-body.ts';
import { phonePage } from './pages/phone.page.ts';
import { sendPage } from './send-page.ts';

/** Number of recent sign-ins of a user that the phone checks. */
const signInsShown = 20;

/** Creates the routes of the simulated phone, which shows sent codes and responds to push notifications. */
export function phoneRoutes(): Router {
  const router = Router({ mergeParams: true });
  router.use('/:userName', noteUser);
  router.get('/:userName', showPhone);
  router.post('/:userName', answerRequest);
  return router;
}

const noteUser: RequestHandler = ({ params }, response, next) => {
  const user = getSandbox(response).directory.userNamed(String(params['userName']));
  noteCaller(response, { userId: user?.id ?? null });
  next();
};

const showPhone: RequestHandler = async (request, response) => {
  const sandbox = getSandbox(response);
  sendPage(response, 200, await render(sandbox, request, null));
};

const answerRequest: RequestHandler = async (request, response) => {
  refuseForeignOrigin(request);
  const sandbox = getSandbox(response);
  const fields = await readForm(request);
  const signInId = fields.get('signIn') ?? '';
  const { userId, push } = sandbox.signIns.view(signInId);
  if (userId !== findUser(sandbox, request).id) {
    throw new NudgeLabError('sign-in-not-found', { message: 'This phone has no such pending request.' });
  }
  const action = fields.get('action');
  if (action !== 'approve' && action !== 'deny') {
    throw new NudgeLabError('bad-request', { message: 'This action does not exist on the phone page.' });
  }
  const approved = action === 'approve';
  const number = (fields.get('number') ?? '').trim();
  const wrong = push?.answer === 'waiting' && approved && number !== push.number;
  if (push?.answer === 'waiting' && !wrong) await sandbox.signIns.answerPush(signInId, approved, number);
  sendPage(response, wrong ? 400 : 200, await render(sandbox, request, wrong ? signInId : null));
};

async function render(sandbox: Sandbox, request: Request, wrongNumberOf: string | null): Promise<string> {
  const user = findUser(sandbox, request);
  const signIns = sandbox.signIns.list({ userId: user.id, limit: signInsShown });
  return phonePage({
    tenant: toPageTenant(sandbox, createReader(request)),
    address: getPhonePath(sandbox.id, user.userPrincipalName),
    user,
    requests: signIns.filter(({ push, finished }) => push?.answer === 'waiting' && push.lost !== true && !finished),
    messages: signIns.filter((signIn) => !signIn.finished && (signIn.codeArrived || isOwnCodeSetup(signIn))),
    timedCode: await sandbox.codes.timedCode(user.id),
    wrongNumberOf,
  });
}

/** Returns true if the setup of an own campaign sent a code to the phone or the email address of the user (OC45). */
function isOwnCodeSetup({ screen, own }: SignInView): boolean {
  return screen === 'setup' && (own?.method.kind === 'phone' || own?.method.kind === 'email');
}

function findUser(sandbox: Sandbox, { params }: Request) {
  const user = sandbox.directory.userNamed(String(params['userName']));
  if (user === null) throw new NudgeLabError('user-not-found', { message: 'No user of this sandbox has this name.' });
  return user;
}

import { Router } from 'express';
import { questionOperations } from '../../contract/control-operations.ts';
import type { ResponseBody, signInResponse } from '../../contract/control-responses.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { entryView } from './entry-view.ts';
import { serveSandbox } from './serve.ts';
import { describeVerdict } from './verdict-view.ts';

/** Creates the routes for sign-ins and for verdicts on hypothetical sign-ins. */
export function signInRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const { explain, listSignIns, getSignIn, getSandboxRuleset, answerPush } = questionOperations;

  serveSandbox(router, sandboxes, explain, async (sandbox, { body: { user, attempt, ruleset } }) => {
    const verdict = sandbox.explain(user, attempt, ruleset);
    const counterfactual = ruleset === undefined ? await sandbox.findCounterfactual(user, attempt) : null;
    const { snoozes, snoozesLeft } = sandbox.directory.nudgeStatus(user);
    const left = snoozesLeft === null ? null : { left: snoozesLeft, limit: snoozes + snoozesLeft };
    return {
      ...verdict,
      ...describeVerdict(verdict, sandbox.words(ruleset), left),
      ...(counterfactual === null ? {} : { counterfactual }),
    };
  });

  serveSandbox(router, sandboxes, listSignIns, ({ directory, signIns }, { query: { user, ...page } }) => {
    const ofUser = user === undefined ? {} : { userId: directory.user(user).id };
    return { signIns: signIns.list({ ...ofUser, ...page }).map(signInView) };
  });

  serveSandbox(router, sandboxes, getSignIn, async (sandbox, { params }) => {
    const { signIn, attempt, verdict, events } = await sandbox.signIns.detail(params.signIn);
    // The words are those of the edition that evaluated the sign-in.
    const texts = verdict && describeVerdict(verdict, sandbox.words(undefined, attempt?.nowMs));
    return {
      signIn: signInView(signIn),
      attempt: attempt && { ...attempt },
      verdict,
      headline: texts?.headline ?? null,
      sentences: texts?.sentences ?? {},
      events: events.map(entryView),
    };
  });

  serveSandbox(router, sandboxes, getSandboxRuleset, (sandbox) => sandbox.rulesetInForce());

  serveSandbox(router, sandboxes, answerPush, async ({ signIns }, { body: { approve, number }, params }) => {
    const signInId = params.signIn;
    const entered = number ?? signIns.view(signInId).push?.number ?? null;
    return signInView(await signIns.answerPush(signInId, approve, entered));
  });

  return router;
}

function signInView(view: SignInView): ResponseBody<typeof signInResponse> {
  return { ...view, mfaMethods: [...view.mfaMethods], startedAt: toInstant(view.startedAtMs) };
}

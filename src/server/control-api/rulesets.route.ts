import { Router } from 'express';
import type { ResponseBody } from '../../contract/control-responses.schema.ts';
import { rulesetOperations, type rulesetResponse } from '../../contract/ruleset-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import type { LoadedRuleset } from '../../journal/ruleset-registry.ts';
import type { RulesetService } from '../ruleset-service.ts';
import { serve } from './serve.ts';

/** Creates the routes that list, show and add rulesets (OC36). */
export function rulesetRoutes(rulesets: RulesetService): Router {
  const router = Router();
  const { listRulesets, createRuleset, getRuleset } = rulesetOperations;

  serve(router, listRulesets, async () => {
    await rulesets.refresh();
    return { rulesets: rulesets.registry.list().map(listed) };
  });

  serve(router, createRuleset, async ({ body, request, response }) => {
    if (!rulesets.accepts) throw new NudgeLabError('rulesets-read-only');
    const { loaded, isNew } = await rulesets.add(body);
    response.status(isNew ? 201 : 200).location(`${request.baseUrl}/rulesets/${loaded.id}`);
    return view(loaded, rulesets);
  });

  serve(router, getRuleset, async ({ params }) => {
    const id = params.ruleset;
    if (rulesets.registry.find(id) === undefined) await rulesets.refresh();
    const loaded = rulesets.registry.find(id);
    if (loaded !== undefined) return view(loaded, rulesets);
    const known = rulesets.registry.list().map((one) => one.id);
    const message = endSentence(`The server has no ruleset "${id}"${suggestName(id, known)}`);
    throw new NudgeLabError('ruleset-not-found', { message });
  });

  return router;
}

function listed({ id, title, version, base, digest, origin }: LoadedRuleset) {
  const shown = origin === 'built-in' || origin === 'control-api' ? origin : 'file';
  return { ruleset: id, title, version, base, digest, origin: shown } as const;
}

function view(loaded: LoadedRuleset, rulesets: RulesetService): ResponseBody<typeof rulesetResponse> {
  return { ...listed(loaded), data: rulesets.findData(loaded.id) };
}

import type { Screen } from '../../machines/sign-in.machine.ts';
import type { PageLanguage } from '../contract/page-controls.ts';
import type { Branding } from '../contract/sandbox.schema.ts';
import { toInstant } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { clockDefaultMs, planSandbox, type SandboxInput } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { HttpClient } from '../scenario/drivers/http/http-client.ts';
import { parsePage } from '../scenario/drivers/pages/parsed-page.ts';
import type { GalleryView } from '../server/gallery-service.ts';
import type { PageRecipe } from './page-recipe.ts';
import { PageVisitor } from './page-visitor.ts';

/** Server and tenant of a page. */
export interface PageSurroundings {
  /** Sandboxes of a server that is listening. */
  readonly sandboxes: Sandboxes;
  readonly client: HttpClient;
  /** Id of the sandbox to create. */
  readonly sandboxId: string;
  readonly language: PageLanguage;
  readonly branding: Branding | null;
}

/** State of a page with its HTML, as the server sends it. */
export interface ReachedPage extends Readonly<GalleryView['states'][number]> {
  readonly url: string;
  readonly document: string;
  /** Content policy of the page. */
  readonly policy: string;
}

/**
 * Performs the steps of a recipe in a new sandbox.
 *
 * @returns the page on which they end
 * @throws NudgeLabError `driver-failed` if they end on another page
 */
export async function reachPage(recipe: PageRecipe, surroundings: PageSurroundings): Promise<ReachedPage> {
  const { sandboxes, client, sandboxId } = surroundings;
  const input = completeInput(recipe, surroundings);
  const sandbox = await sandboxes.create(sandboxId, planSandbox(input));
  const visitor = new PageVisitor(sandbox, client);
  const paths: string[] = [];
  for (const step of recipe.steps) {
    await visitor.perform(step);
    paths.push(visitor.path);
  }
  const { name, signInId } = parsePage(visitor.visited.document);
  if (name !== recipe.page) {
    throw new NudgeLabError('driver-failed', {
      message: `The steps of "${recipe.state}" end on the page "${name}" instead of "${recipe.page}".`,
    });
  }
  const { clock, ...body } = input;
  return {
    state: recipe.state,
    page: name,
    screen: signInId === null ? startScreen(name) : sandbox.signIns.view(signInId).screen,
    sandbox: { ...body, clock: { now: toInstant(clock.nowMs), running: clock.running } },
    path: paths.find((path) => path !== '') ?? '',
    steps: [...visitor.instructions],
    ...visitor.visited,
  };
}

/** Returns the only screen that is shown before a sign-in exists. `null` for pages that are no screen. */
function startScreen(page: string): Screen | null {
  return page === 'name' ? 'name' : null;
}

/** Completes the sandbox of a recipe with its user, language and branding. */
function completeInput(
  { sandbox: { user, settings, clock, ...input } }: PageRecipe,
  { language, branding }: PageSurroundings,
): SandboxInput & { readonly clock: NonNullable<SandboxInput['clock']> } {
  return {
    ...input,
    settings: { language, ...(branding === null ? {} : { branding }), ...(settings as object | undefined) },
    users: [{ id: 'ada', displayName: 'Ada Lovelace', ...user }],
    clock: clock ?? { nowMs: clockDefaultMs, running: true },
  };
}

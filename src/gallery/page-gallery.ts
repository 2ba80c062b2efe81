import { type GalleryBrand, galleryBrands, gallerySchemes } from '../contract/gallery.schema.ts';
import { type PageLanguage, pageLanguages } from '../contract/page-controls.ts';
import { NudgeLabError } from '../core/errors.ts';
import { newSecret } from '../core/secrets.ts';
import { MemoryStore } from '../journal/stores/memory.store.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import { HttpClient } from '../scenario/drivers/http/http-client.ts';
import type { GalleryService, GalleryVersion, GalleryView } from '../server/gallery-service.ts';
import { stylesheetPath } from '../server/identity/assets.ts';
import { type RunningServer, startServer } from '../server/start.ts';
import { brandings } from './brandings.ts';
import type { PageRecipe } from './page-recipe.ts';
import { pageRecipes } from './page-recipes.ts';
import { type ReachedPage, reachPage } from './reach-page.ts';
import { toStaticPage } from './static-page.ts';

/** Server on which the pages are reached, separate from every other. */
interface Stage {
  readonly sandboxes: Sandboxes;
  readonly server: RunningServer;
  readonly client: HttpClient;
  readonly style: string;
}

/** Pages of one brand and language, by state. */
interface PageSet {
  readonly pages: ReadonlyMap<string, ReachedPage>;
  readonly brandStyle: string;
}

const linkTarget = / href="([^"]*)"/g;

/** Sign-in pages in every state, rendered by a server with its own routes and templates. */
export class PageGallery implements GalleryService {
  #stage: Promise<Stage> | null = null;
  readonly #sets = new Map<string, Promise<PageSet>>();
  readonly #recipes: readonly PageRecipe[];

  /** Creates a gallery. It starts its server at the first request. */
  constructor(recipes: readonly PageRecipe[] = pageRecipes) {
    this.#recipes = recipes;
  }

  async list(): Promise<GalleryView> {
    const { pages } = await this.#pageSet('plain', pageLanguages[0]);
    return {
      brands: [...galleryBrands],
      languages: [...pageLanguages],
      schemes: [...gallerySchemes],
      states: [...pages.values()].map(({ url: _url, document: _document, policy: _policy, ...state }) => state),
    };
  }

  async page(state: string, { brand, language, scheme }: GalleryVersion): Promise<string> {
    const { pages, brandStyle } = await this.#pageSet(brand, language);
    const found = pages.get(state);
    if (found === undefined) {
      throw new NudgeLabError('not-found', { message: `The gallery has no state ${JSON.stringify(state)}.` });
    }
    const { style } = await this.#open();
    return toStaticPage(found.document, { common: style, brand: brandStyle }, scheme);
  }

  async close(): Promise<void> {
    const stage = await this.#stage?.catch(() => null);
    if (stage === null || stage === undefined) return;
    await stage.client.close();
    await stage.server.close();
    await stage.sandboxes.close();
  }

  #pageSet(brand: GalleryBrand, language: PageLanguage): Promise<PageSet> {
    const key = `${brand}-${language}`;
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const set = this.#reachAll(brand, language);
    this.#sets.set(key, set);
    // All waiting callers receive the failure, and the next call tries again.
    set.catch(() => this.#sets.delete(key));
    return set;
  }

  async #reachAll(brand: GalleryBrand, language: PageLanguage): Promise<PageSet> {
    const { sandboxes, client, server } = await this.#open();
    const branding = brandings[brand];
    const pages = new Map<string, ReachedPage>();
    let brandStyle = '';
    for (const recipe of this.#recipes) {
      const sandboxId = `${recipe.state}-${brand}-${language}`;
      try {
        const reached = await reachPage(recipe, { sandboxes, client, sandboxId, language, branding });
        const path = findBrandStylesheet(reached.document);
        if (path !== null && brandStyle === '') brandStyle = await readText(client, server.baseUrl + path);
        pages.set(recipe.state, reached);
      } finally {
        if (sandboxes.has(sandboxId)) await sandboxes.remove(sandboxId);
      }
    }
    return { pages, brandStyle };
  }

  #open(): Promise<Stage> {
    this.#stage ??= openStage().catch((error: unknown) => {
      this.#stage = null;
      throw error;
    });
    return this.#stage;
  }
}

/** Returns the path of the tenant's style sheet. `null` if a page has none. */
function findBrandStylesheet(document: string): string | null {
  const targets = [...document.matchAll(linkTarget)].map(([, target = '']) => target);
  return targets.find((target) => target.includes('/brand.css')) ?? null;
}

async function openStage(): Promise<Stage> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  // The pages are reached without the control API. The key keeps other programs from using it.
  const server = await startServer({ sandboxes, port: 0, controlKey: newSecret() });
  const client = new HttpClient();
  return { sandboxes, server, client, style: await readText(client, server.baseUrl + stylesheetPath) };
}

async function readText(client: HttpClient, url: string): Promise<string> {
  const { text } = await client.send({ method: 'GET', url: url.replaceAll('&amp;', '&') });
  return text;
}

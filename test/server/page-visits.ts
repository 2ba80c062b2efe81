import { brandings } from '../../src/gallery/brandings.ts';
import { pageRecipes } from '../../src/gallery/page-recipes.ts';
import { reachPage } from '../../src/gallery/reach-page.ts';
import { HttpClient } from '../../src/scenario/drivers/http/http-client.ts';
import { keyPage, leavePage } from '../../src/server/access/key.page.ts';
import { pageHeaders } from '../../src/server/identity/send-page.ts';
import { nonEmpty } from '../non-empty.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

/** Page as received by a browser. */
export interface VisitedPage {
  readonly address: string;
  readonly text: string;
  readonly policy: string;
}

/** Page under test and the steps that lead to it. */
export interface PageVisit {
  /** Title of the visit, also used as the name of the screenshot. */
  readonly title: string;
  /** Value of `data-page`. */
  readonly page: string;
  readonly reach: (site: Site) => Promise<VisitedPage>;
}

/** Every state of the sign-in pages, and two of them with the branding of a tenant. */
const signInPages: readonly PageVisit[] = (['plain', 'dark-color', 'light-color'] as const).flatMap((brand) =>
  nonEmpty(
    brand === 'plain' ? pageRecipes : pageRecipes.filter(({ state }) => ['name', 'prompt-app'].includes(state)),
  ).map((recipe) => ({
    title: brand === 'plain' ? recipe.state : `${recipe.state}-${brand}`,
    page: recipe.page,
    async reach({ sandboxes, language }) {
      const client = new HttpClient();
      const sandboxId = `${recipe.state}-${brand}-${language}`;
      try {
        const surroundings = { sandboxes, client, sandboxId, language, branding: brandings[brand] };
        const { url, document, policy } = await reachPage(recipe, surroundings);
        // The scripts of these pages leave them immediately. The pages are checked as displayed without scripts.
        const text = leavingPages.includes(recipe.page) ? document.replace(/<script[^>]*><\/script>/, '') : document;
        return { address: url, text, policy };
      } finally {
        await client.close();
      }
    },
  })),
);

/** Pages that their script leaves. */
const leavingPages: readonly string[] = ['hand-over', 'signing-out'];

function visit(title: string, page: string, way: (visitor: Visitor) => Promise<unknown>): PageVisit {
  return {
    title,
    page,
    async reach(site) {
      const visitor = await site.visitor();
      await way(visitor);
      const { address, text, headers } = visitor.shown;
      return { address, text, policy: String(headers['content-security-policy']) };
    },
  };
}

const ofLookup: readonly PageVisit[] = [
  visit('lookup-sign-in', 'lookup-sign-in', async (visitor) => {
    await visitor.load('/lookup/tokens');
    await visitor.press('Sign in', { 'Email address': 'ada@example.test', Password: 'wrong' });
  }),
  visit('lookup-tokens', 'lookup-tokens', async (visitor) => {
    await visitor.load('/lookup/tokens');
    await visitor.press('Sign in', { 'Email address': 'free@example.test', Password: 'correct horse' });
    await visitor.press('Issue', { Name: 'A token with quite a long name, as scripts have them' });
  }),
  visit('profile', 'profile', async (visitor) => {
    const query = 'type=email&query=known@wexlar.example&tool=wexlar';
    const { results } = JSON.parse(await visitor.sandbox.lookup.preview(query));
    await visitor.load(new URL(results.wexlar.profile_url).pathname.replace(/^\/s\/[^/]+/, ''));
  }),
];

/** Creates a visit of a console sign-in page. Only a server with a control key has these pages. */
function consolePage(title: string, page: string, text: (address: string) => string): PageVisit {
  return {
    title,
    page,
    async reach({ server }) {
      const address = `${server.baseUrl}/_console/${title}`;
      return { address, text: text(address), policy: pageHeaders['Content-Security-Policy'] };
    },
  };
}

const keyForm = { formToken: 'a token', next: '/_console/' };

const ofConsole: readonly PageVisit[] = [
  consolePage('console-sign-in', 'console-sign-in', (address) => keyPage({ ...keyForm, address, fault: null })),
  consolePage('console-sign-in+fault', 'console-sign-in', (address) =>
    keyPage({ ...keyForm, address, fault: 'too-many-guesses' }),
  ),
  consolePage('console-sign-out', 'console-sign-out', (address) => leavePage(address, 'a token', '/_console/')),
];

/** All pages with their variants. */
export const pageVisits: readonly PageVisit[] = [...signInPages, ...ofLookup, ...ofConsole];

import { applicationRecipes, deviceRecipes, ownPageRecipes } from './application-recipes.ts';
import { factorRecipes, interstitialRecipes } from './factor-recipes.ts';
import { ownCampaignRecipes } from './own-campaign-recipes.ts';
import type { PageRecipe } from './page-recipe.ts';
import { promptRecipes } from './prompt-recipes.ts';

/** Every state of every sign-in page, in the order of a sign-in. */
export const pageRecipes: readonly PageRecipe[] = [
  ...factorRecipes,
  ...interstitialRecipes,
  ...promptRecipes,
  ...ownCampaignRecipes,
  ...applicationRecipes,
  ...deviceRecipes,
  ...ownPageRecipes,
];

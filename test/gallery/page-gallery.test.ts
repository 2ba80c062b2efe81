import { expect, it } from 'vitest';
import { PageGallery } from '../../src/gallery/page-gallery.ts';
import type { PageRecipe } from '../../src/gallery/page-recipe.ts';
import { pageRecipes } from '../../src/gallery/page-recipes.ts';

it('086: after a failure, the next request reaches the pages again', async () => {
  const [first] = pageRecipes as [PageRecipe];
  const recipes: PageRecipe[] = [{ ...first, page: 'another-page' } as unknown as PageRecipe];
  const gallery = new PageGallery(recipes);
  try {
    await expect(gallery.list()).rejects.toMatchObject({ code: 'driver-failed' });
    recipes[0] = first;
    expect((await gallery.list()).states.map(({ state }) => state)).toEqual([first.state]);
  } finally {
    await gallery.close();
  }
});

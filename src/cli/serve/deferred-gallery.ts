import type { GalleryService, GalleryVersion, GalleryView } from '../../server/gallery-service.ts';

/** Gallery of the console, which is loaded at its first request, because most servers never show it. */
export class DeferredGallery implements GalleryService {
  #loading: Promise<GalleryService> | null = null;

  async list(): Promise<GalleryView> {
    return (await this.#load()).list();
  }

  async page(state: string, version: GalleryVersion): Promise<string> {
    return (await this.#load()).page(state, version);
  }

  async close(): Promise<void> {
    await (await this.#loading)?.close();
  }

  #load(): Promise<GalleryService> {
    this.#loading ??= loadGallery();
    return this.#loading;
  }
}

async function loadGallery(): Promise<GalleryService> {
  const { PageGallery } = await import('../../gallery/page-gallery.ts');
  return new PageGallery();
}

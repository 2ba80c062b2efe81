const pageBytes = 65_536;

/** Relevant members of a WebAssembly memory, because the platform's types are those of a browser. */
interface GrowingMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const { WebAssembly: webAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: { readonly prototype: GrowingMemory } };
};

let refused = false;

/** Checks whether a memory request of this thread was rejected. Later errors are a consequence of that. */
export function wasRefusedMemory(): boolean {
  return refused;
}

/**
 * Limits every WebAssembly memory of this thread to a number of bytes. Growing beyond the limit fails as on a
 * machine without free memory, and the library then rejects the file. A module cannot receive a limit in another
 * way, because its own limit is part of the build.
 */
export function boundMemory(bytesMax: number): void {
  const { prototype } = webAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function boundedGrow(this: GrowingMemory, pages: number): number {
    if (this.buffer.byteLength + pages * pageBytes > bytesMax) {
      refused = true;
      throw new RangeError('memory is bounded');
    }
    return grow.call(this, pages);
  };
}

const pageBytes = 65_536;

/** The part of a WebAssembly memory that counts here; the platform's types are those of a browser. */
interface GrowingMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const { WebAssembly: webAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: { readonly prototype: GrowingMemory } };
};

let refused = false;

/** Whether this thread was refused memory: what goes wrong after that went wrong for it. */
export function wasRefusedMemory(): boolean {
  return refused;
}

/**
 * Bounds every WebAssembly memory of this thread: growing beyond fails, as it does where the machine has no more, and the
 * library that asked gives the file up. Takes bytes. A module cannot be given its limit otherwise, since it was built with one.
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

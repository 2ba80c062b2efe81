import { expect, test } from 'vitest';
import { shareRepeatedTypes } from '../../tooling/repeated-types.ts';

const user = `import("zod").ZodObject<{
        id: import("zod").ZodString;
        groups: import("zod").ZodArray<import("zod").ZodString>;
    }, import("zod/v4/core").$strict>`;

test('054: a repeated type is declared once, whatever its indentation, and zod is imported once', () => {
  const deeper = user.replaceAll('\n', '\n    ');
  expect(
    shareRepeatedTypes(`export declare const one: ${user};\nexport declare const two: {\n    user: ${deeper};\n};\n`),
  ).toBe(
    `import type { z } from 'zod';
export declare const one: SharedSchema1;
export declare const two: {
    user: SharedSchema1;
};
type SharedSchema1 = z.ZodObject<{
        id: z.ZodString;
        groups: z.ZodArray<z.ZodString>;
    }, z.core.$strict>;
export {};
`,
  );
});

test('054: a part that only a repeated type contains stays in it', () => {
  const list = 'z.ZodArray<z.ZodObject<{ identifier: z.ZodString; displayName: z.ZodString; }, z.core.$strict>>';
  const shared = shareRepeatedTypes(
    `import { z } from "zod";\nexport declare const one: ${list};\nexport declare const two: ${list};\n`,
  );
  expect(shared.match(/^type .*$/gm)).toEqual([`type SharedSchema1 = ${list};`]);
  expect(shared.match(/^import .*$/gm)).toEqual(['import { z } from "zod";']);
});

test('054: repeated parts of different types share an alias of their own', () => {
  const part = 'z.ZodObject<{ identifier: z.ZodString; displayName: z.ZodString; }, z.core.$strict>';
  const shared = shareRepeatedTypes(
    `import { z } from "zod";\nexport declare const one: z.ZodArray<${part}>;\nexport declare const two: z.ZodOptional<${part}>;\n`,
  );
  expect(shared).toContain('one: z.ZodArray<SharedSchema1>;\nexport declare const two: z.ZodOptional<SharedSchema1>;');
});

test('054: types that depend on a type parameter, and single and short ones, are kept', () => {
  const text = `import { z } from "zod";
export declare function list<Item extends z.ZodType>(item: Item): z.ZodObject<{ items: z.ZodArray<Item>; next: z.ZodString; }>;
export declare function page<Item extends z.ZodType>(item: Item): z.ZodObject<{ items: z.ZodArray<Item>; next: z.ZodString; }>;
export declare const one: z.ZodArray<z.ZodString>;
export declare const two: z.ZodArray<z.ZodString>;
`;
  expect(shareRepeatedTypes(text)).toBe(text);
});

test('054 canary: a file that cannot be parsed, or that uses the name of an alias, is an error', () => {
  expect(() => shareRepeatedTypes('export declare const = 1')).toThrow();
  expect(() => shareRepeatedTypes('type SharedSchema1 = string;')).toThrow('SharedSchema');
});

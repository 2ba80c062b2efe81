import { cyclesOf } from './cycles.ts';
import { type Import, importsOf, targetOf } from './imports.ts';
import type { Fault, TextFile } from './repository.ts';
import type { Room } from './rooms.ts';

/** What the layers test found: how much it read, and every breach of the table. */
export interface LayersReport {
  readonly imports: number;
  readonly faults: readonly Fault[];
}

/**
 * Holds every import of the given source files against the table of rooms: who may import whom, which packages and which
 * modules of Node, type imports included; and refuses cycles between rooms and between files.
 */
export function inspectLayers(files: readonly TextFile[], rooms: readonly Room[]): LayersReport {
  const known = new Set(files.map((file) => file.path));
  const imports = files.flatMap(importsOf);
  const homeless = files
    .filter((file) => roomOf(file.path, rooms) === undefined)
    .map((file) => ({
      path: file.path,
      line: 0,
      message: 'stands in no room: give its folder a row in test/house/rooms.ts.',
    }));
  const refused = imports.flatMap((one) => {
    const message = objection(one, rooms, known);
    return message === null ? [] : [{ path: one.path, line: one.line, message }];
  });
  return { imports: imports.length, faults: [...homeless, ...refused, ...cycleFaults(imports, rooms)] };
}

/** Says what is wrong with one import and what to do instead, or `null` when the table allows it. */
function objection(one: Import, rooms: readonly Room[], known: ReadonlySet<string>): string | null {
  const room = roomOf(one.path, rooms);
  if (room === undefined) return null;
  if (one.specifier === null) {
    if (room.loaders?.includes(one.path) === true) return null;
    return `imports a computed name: name the module, or list the file as a loader of ${room.path} in test/house/rooms.ts.`;
  }
  const target = targetOf(one.path, one.specifier);
  if (target.kind === 'file') {
    if (!known.has(target.path)) return `imports ${target.path}, which is no source file.`;
    if (roomOf(target.path, rooms) === room || allows(room.imports, target.path)) return null;
    if (one.typeOnly && allows(room.importsTypesOf ?? [], target.path)) return null;
    return refusal(room, `${one.typeOnly ? 'a type of ' : ''}${target.path}`, permitted(room));
  }
  const list = target.kind === 'node' ? room.node : room.packages;
  return list.includes(target.name) ? null : refusal(room, target.name, list.join(', ') || 'none of its kind');
}

function refusal(room: Room, what: string, legal: string): string {
  return `imports ${what}, but ${room.path} may import: ${legal}. ${room.instead}`;
}

function permitted(room: Room): string {
  const types = (room.importsTypesOf ?? []).map((path) => `types of ${path}`);
  return [...room.imports, ...types].join(', ') || 'nothing of the repository';
}

function allows(paths: readonly string[], target: string): boolean {
  return paths.some((path) => holds(path, target));
}

/** A path stands for a file, for a folder, and for the files beside the folder that carry its name. */
function holds(path: string, file: string): boolean {
  return file === path || file.startsWith(`${path}/`) || file.startsWith(`${path}.`);
}

/** The room with the longest path that holds the file. */
function roomOf(file: string, rooms: readonly Room[]): Room | undefined {
  return rooms
    .filter((room) => holds(room.path, file))
    .reduce<Room | undefined>(
      (best, room) => (best !== undefined && best.path.length >= room.path.length ? best : room),
      undefined,
    );
}

/**
 * Cycles between files, and between rooms. A file may load another one lazily and lend it its types, as a command does with
 * its work; between rooms even that is a cycle.
 */
function cycleFaults(imports: readonly Import[], rooms: readonly Room[]): readonly Fault[] {
  const files = new Map<string, Set<string>>();
  const folders = new Map<string, Set<string>>();
  for (const one of imports) {
    const target = one.specifier === null ? null : targetOf(one.path, one.specifier);
    if (target?.kind !== 'file') continue;
    if (!one.lazy) connect(files, one.path, target.path);
    const [from, to] = [roomOf(one.path, rooms)?.path, roomOf(target.path, rooms)?.path];
    if (from !== undefined && to !== undefined && from !== to) connect(folders, from, to);
  }
  return [...cyclesOf(files), ...cyclesOf(folders)].map((members) => ({
    path: members[0] ?? '',
    line: 0,
    message: `stands in a cycle of imports: ${members.join(', ')}. Move what they share to a file that imports none of them.`,
  }));
}

function connect(graph: Map<string, Set<string>>, from: string, to: string): void {
  const successors = graph.get(from) ?? new Set();
  graph.set(from, successors.add(to));
}

import { getOutput, getTarget, type MealyMachine, type Word } from './mealy-machine.ts';

/** Word with the states that it separates from all others. */
export interface SharedWord {
  readonly word: Word;
  readonly states: ReadonlySet<number>;
}

/** Maximum number of short words that are tried. */
const shortWordsMax = 256;

/** Maximum number of states for which words are shared; the search takes time for each state. */
const sharedStatesMax = 300;

/**
 * Chooses few words such that every state that some word separates from all others has one of them. Each choice is the
 * word that does so for the most states that have none yet.
 *
 * @param classOf - class of each state; states of one class are equivalent
 * @param search - finds a shortest word that separates a state from all others; `null` if there is none
 */
export function chooseSharedWords(
  machine: MealyMachine,
  classOf: ArrayLike<number>,
  search: (state: number) => Word | null,
): readonly SharedWord[] {
  if (machine.states > sharedStatesMax) return [];
  const found = Array.from({ length: machine.states }, (_, state) => search(state)).filter((word) => word !== null);
  const words = [...new Map([...listShortWords(machine), ...found].map((word) => [word.join(), word])).values()];
  let candidates = words
    .map((word) => ({ word, states: listSeparated(machine, classOf, word) }))
    .filter(({ states }) => states.size > 0);
  const chosen: SharedWord[] = [];
  const served = new Set<number>();
  while (candidates.length > 0) {
    candidates = candidates
      .map(({ word, states }) => ({ word, states: states.difference(served) }))
      .filter(({ states }) => states.size > 0);
    const first = candidates.reduce<SharedWord | undefined>(
      (best, one) => (best === undefined || isBetter(one, best) ? one : best),
      undefined,
    );
    if (first === undefined) break;
    chosen.push(first);
    for (const state of first.states) served.add(state);
  }
  return chosen;
}

function isBetter(one: SharedWord, other: SharedWord): boolean {
  if (one.states.size !== other.states.size) return one.states.size > other.states.size;
  return one.word.length < other.word.length;
}

/** Lists the words up to a length, as far as there are few. */
function listShortWords({ inputs }: MealyMachine): readonly Word[] {
  const words: Word[] = [[]];
  for (let length = 1, from = 0; words.length * inputs.length <= shortWordsMax && length < shortWordsMax; length += 1) {
    const end = words.length;
    for (const word of words.slice(from)) for (const input of inputs.keys()) words.push([...word, input]);
    from = end;
    if (inputs.length === 1 && length >= inputsOfOneMax) break;
  }
  return words.slice(1);
}

/** Maximum length of the words of a machine with one input. */
const inputsOfOneMax = 64;

/** Returns the states whose outputs of a word are not those of a state of another class. */
function listSeparated(machine: MealyMachine, classOf: ArrayLike<number>, word: Word): ReadonlySet<number> {
  const byOutputs = new Map<string, number[]>();
  for (let start = 0; start < machine.states; start += 1) {
    let state = start;
    let key = '';
    for (const input of word) {
      key += `${getOutput(machine, state, input)}\n`;
      state = getTarget(machine, state, input);
    }
    const group = byOutputs.get(key);
    if (group === undefined) byOutputs.set(key, [start]);
    else group.push(start);
  }
  const groups = [...byOutputs.values()].filter((group) => new Set(group.map((state) => classOf[state])).size === 1);
  return new Set(groups.flat());
}

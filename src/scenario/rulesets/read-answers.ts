import type { OwnAnswer } from '../../../machines/own/own-ruleset.ts';
import type { ShapedRuleset } from './read-shapes.ts';
import type { RulesetScope } from './ruleset-scope.ts';

type Written = NonNullable<ShapedRuleset['answers']>[string];

/**
 * Reads the answers with their defaults (OC24): a button `skip` that snoozes; `close` and `expire` like the first button;
 * `next` stores nothing.
 */
export function readAnswers(
  written: ShapedRuleset['answers'],
  scope: RulesetScope,
): Readonly<Record<string, OwnAnswer>> {
  const { close, expire, next, ...buttons } = written ?? {};
  const ids = Object.keys(buttons);
  const usual: Record<string, OwnAnswer> = Object.fromEntries(
    (ids.length === 0 ? ['skip'] : ids).map((id) => [id, readAnswer(id, buttons[id] ?? {}, ['snooze'], scope)]),
  );
  const first = Object.values(usual)[0]?.effects ?? ['snooze'];
  const skip = usual['skip']?.effects ?? first;
  return {
    ...usual,
    close: readAnswer('close', close ?? {}, skip, scope, usual),
    expire: readAnswer('expire', expire ?? {}, skip, scope, usual),
    next: readAnswer('next', next ?? {}, ['nothing'], scope),
  };
}

function readAnswer(
  id: string,
  written: Written,
  effectsDefault: OwnAnswer['effects'],
  scope: RulesetScope,
  like: Readonly<Record<string, OwnAnswer>> = {},
): OwnAnswer {
  const { label, effect, counts, whenRequired = 'refused' } = written;
  const effects = effect === undefined ? effectsDefault : typeof effect === 'string' ? [effect] : effect;
  const path = ['answers', id];
  if (effect !== undefined && effects.includes('nothing') && effects.length > 1) {
    scope.faults.add('RS14', [...path, 'effect'], 'nothing stands alone; leave it out of the list');
  }
  const reserved = id === 'close' || id === 'expire' || id === 'next';
  if (reserved && label !== undefined) {
    scope.faults.addKey('RS14', [...path, 'label'], `${id} is no button, so it has no label`);
  }
  if (reserved && written.whenRequired !== undefined) {
    scope.faults.addKey(
      'RS14',
      [...path, 'whenRequired'],
      `${id} is no button; it stores nothing on a required prompt`,
    );
  }
  if (written.for !== undefined && !effects.includes('snooze')) {
    scope.faults.addKey('RS14', [...path, 'for'], 'only an answer with the effect snooze has a duration of its own');
  }
  const own = written.for === undefined ? null : scope.readDuration(written.for, 'RS14', [...path, 'for']);
  const inherited =
    effect === undefined && written.for === undefined ? (like['skip'] ?? Object.values(like)[0])?.for : null;
  return {
    label: label ?? (id === 'skip' ? 'Skip for now' : id),
    effects,
    counts: counts ?? effects.includes('snooze'),
    for: own ?? inherited ?? null,
    whenRequired,
  };
}

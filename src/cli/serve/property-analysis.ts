import type { AnalysisResult, PropertiesRequest } from '../../contract/analysis.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { JournalEntry } from '../../journal/journal-event.ts';
import { checkProperties } from '../../properties/check/check-properties.ts';
import { readPropertiesText } from '../../properties/language/read-properties.ts';
import { createBuiltInModel } from '../../properties/models/built-in-models.ts';
import { modelDefault } from '../../properties/models/model-names.ts';
import type { PropertyModel } from '../../properties/models/property-model.ts';
import { readShippedProperties } from '../../properties/shipped-properties.ts';
import { UserTraces } from '../../properties/watch/user-traces.ts';
import { findViolations, selectWatchable } from '../../properties/watch/watch-properties.ts';

/** Maximum number of violations in a result. */
const violationsMax = 200;

/**
 * Checks properties of a machine on all its states, and in the journal of the sandbox where that is possible.
 *
 * @param order - machine and properties
 * @param entries - the whole journal
 * @param onProgress - receives the completed fraction
 * @throws NudgeLabError `property-invalid`, `property-too-large`, `bad-request` if the text has none for the machine
 */
export function propertyAnalysis(
  { machine, text }: PropertiesRequest,
  entries: readonly JournalEntry[],
  onProgress: (share: number) => void,
): AnalysisResult {
  const all = text === undefined ? readShippedProperties() : readPropertiesText('properties.yaml', text);
  const own = all.filter(({ machine: named }) => (named ?? modelDefault) === machine);
  if (own.length === 0) {
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'body.text', message: `it has no property of the machine ${machine}` }],
    });
  }
  let checked = 0;
  const results = checkProperties(createBuiltInModel(machine) as PropertyModel, own, {
    onResult: () => {
      checked += 1;
      onProgress(checked / (own.length + 1));
    },
  });
  const watched = selectWatchable(own);
  return {
    kind: 'properties',
    machine,
    properties: structuredClone(results) as never,
    violations:
      watched.length === 0
        ? null
        : (findViolations(UserTraces.read(entries), watched).slice(0, violationsMax) as never),
  };
}

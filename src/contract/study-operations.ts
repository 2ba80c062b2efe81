import { emptyBody } from './control.schema.ts';
import { named, operation } from './control-operation.ts';
import * as study from './study.schema.ts';

/** Operations on forecasts and comparisons that the server makes. */
export const studyOperations = named({
  describeTenant: operation('GET /sandboxes/{sandbox}/forecast-description', {
    summary: 'The tenant and its users as a forecast takes them; what the sandbox does not know is assumed.',
    reply: study.describedTenantAnswer,
  }),
  listStudies: operation('GET /sandboxes/{sandbox}/studies', {
    summary: 'Forecasts and comparisons that are held, the newest first.',
    reply: study.studiesAnswer,
    errors: ['study-missing'],
  }),
  startStudy: operation('POST /sandboxes/{sandbox}/studies', {
    summary:
      'Begins a forecast of a described tenant, or a comparison of the journal with other policies, as soon as those before it have ended.',
    body: study.studyBody,
    reply: study.studyAnswer,
    statuses: [201],
    errors: ['study-missing', 'study-too-large', 'too-many-studies'],
  }),
  getStudy: operation('GET /sandboxes/{sandbox}/studies/{study}', {
    summary: 'A study and how far it has come.',
    reply: study.studyAnswer,
    errors: ['study-missing', 'study-unknown'],
  }),
  getStudyResult: operation('GET /sandboxes/{sandbox}/studies/{study}/result', {
    summary: 'What a study that is finished came to.',
    reply: study.studyResultAnswer,
    errors: ['study-missing', 'study-unknown', 'study-unfinished'],
  }),
  cancelStudy: operation('POST /sandboxes/{sandbox}/studies/{study}/cancel', {
    summary: 'Ends a study that waits or goes on; one that has ended stays as it is.',
    body: emptyBody,
    reply: study.studyAnswer,
    errors: ['study-missing', 'study-unknown'],
  }),
  deleteStudy: operation('DELETE /sandboxes/{sandbox}/studies/{study}', {
    summary: 'Ends a study and forgets it with its result.',
    reply: null,
    errors: ['study-missing', 'study-unknown'],
  }),
});

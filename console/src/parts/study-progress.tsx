import type { UseMutationResult } from '@tanstack/react-query';
import { isRefusal } from '../control/control-client.ts';
import { type FollowedStudy, isOpen, type Study, useCancelStudy } from '../control/studies.ts';
import { Failure } from './answered.tsx';

/** How far a study has come, which can be cancelled; or what stood in its way. */
export function StudyProgress({
  sandbox,
  followed: { study, error },
  start,
}: {
  readonly sandbox: string;
  readonly followed: FollowedStudy;
  readonly start: Pick<UseMutationResult<Study, Error, never>, 'error' | 'isPending'>;
}) {
  const cancel = useCancelStudy(sandbox);
  if (start.error !== null) return <Failure of={start.error} />;
  if (error !== null) {
    return (
      <>
        <Failure of={error} />
        {isRefusal(error) && error.refusal.code === 'study-unknown' && (
          <p className="hint">It is forgotten when the server stops. The knobs stand as they were: begin it anew.</p>
        )}
      </>
    );
  }
  if (study === null) return null;
  if (study.state === 'cancelled')
    return (
      <p className="hint" role="status">
        It was cancelled.
      </p>
    );
  if (!isOpen(study)) return null;
  const words = study.state === 'waiting' ? 'Waiting for the studies before it' : 'Running';
  return (
    <div className="progress">
      <progress aria-label="Progress of the study" max={1} value={study.progress} />
      <span role="status">
        {words}, {Math.floor(study.progress * 100)} %
      </span>
      <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate(study.id)}>
        Cancel
      </button>
      <Failure of={cancel.error} />
    </div>
  );
}

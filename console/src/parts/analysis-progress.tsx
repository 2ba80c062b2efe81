import type { UseMutationResult } from '@tanstack/react-query';
import { type Analysis, type FollowedAnalysis, isOpen, useCancelAnalysis } from '../control/analyses.ts';
import { isRefusal } from '../control/control-client.ts';
import { Failure } from './query-result.tsx';

/** Renders the progress of an analysis with a cancel button, or its error. */
export function AnalysisProgress({
  sandbox,
  followed: { analysis, error },
  start,
}: {
  readonly sandbox: string;
  readonly followed: FollowedAnalysis;
  readonly start: Pick<UseMutationResult<Analysis, Error, never>, 'error' | 'isPending'>;
}) {
  const cancel = useCancelAnalysis(sandbox);
  if (start.error !== null) return <Failure of={start.error} />;
  if (error !== null) {
    return (
      <>
        <Failure of={error} />
        {isRefusal(error) && error.refusal.code === 'analysis-not-found' && (
          <p className="hint">
            Analyses are lost when the server stops. The inputs are unchanged: start the analysis again.
          </p>
        )}
      </>
    );
  }
  if (analysis === null) return null;
  if (analysis.state === 'canceled')
    return (
      <p className="hint" role="status">
        Analysis canceled.
      </p>
    );
  if (!isOpen(analysis)) return null;
  const words = analysis.state === 'queued' ? 'Queued behind other analyses' : 'Running';
  return (
    <div className="progress">
      <progress aria-label="Progress of the analysis" max={1} value={analysis.progress} />
      <span role="status">
        {words}, {Math.floor(analysis.progress * 100)} %
      </span>
      <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate(analysis.id)}>
        Cancel
      </button>
      <Failure of={cancel.error} />
    </div>
  );
}

import { Link } from 'wouter';
import { api } from '../control/control-client.ts';
import { type ScenarioResult, useSuite } from '../control/suite.ts';
import { Empty } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { EvaluationTrace } from '../parts/evaluation-trace.tsx';
import { formatCode } from '../parts/labels.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { statusLabels } from './run-counts.tsx';

type StepResult = ScenarioResult['steps'][number];

/**
 * Renders the result of one scenario: its steps, expected and actual values, the rules behind a failure, and the
 * evidence.
 */
export function ResultDetail({
  sandbox,
  runId,
  result,
}: {
  readonly sandbox: string;
  readonly runId: string | null;
  readonly result: ScenarioResult;
}) {
  const { data: suite } = useSuite();
  const { name, id, status, driver, message, steps, unconfirmedClaims, evidence = [], command } = result;
  const file = suite?.files.find(({ shown }) => shown === result.file);
  const failed = steps.find((step) => step.status === 'failed');
  return (
    <>
      <p>
        <strong className={status}>{statusLabels[status]}</strong> on {driver}: {name}
      </p>
      {message !== undefined && (
        <p className="failure" role="alert">
          {message}
        </p>
      )}
      {unconfirmedClaims.length > 0 && (
        <p className="failure" role="alert">
          Its file claims to cover {unconfirmedClaims.join(', ')}, but no scenario in it confirmed that.
        </p>
      )}
      <StepTable steps={steps} />
      {failed !== undefined && <FailedStep step={failed} />}
      {runId !== null && evidence.length > 0 && <Evidence runId={runId} files={evidence} />}
      <h3>Run again</h3>
      <CodeBlock text={command} wraps />
      <div className="buttons">
        <CopyButton label="Copy command" text={command} />
      </div>
      {file !== undefined && (
        <p>
          <Link
            href={`/s/${sandbox}/scenarios/file?path=${encodeURIComponent(file.path)}&line=${failed?.line ?? steps[0]?.line ?? 1}`}
          >
            Open {id} in the editor
          </Link>
        </p>
      )}
    </>
  );
}

const stepLabels: Readonly<Record<StepResult['status'], string>> = {
  passed: '✓ passed',
  failed: '✗ failed',
  'not-run': '– not run',
};

function StepTable({ steps }: { readonly steps: readonly StepResult[] }) {
  if (steps.length === 0) return <Empty>No steps were run.</Empty>;
  return (
    <ScrollBox label="Steps of the scenario">
      <table>
        <TableHead
          columns={['Line', 'Step', 'Page', 'Verdict', 'Result', 'Expectations']}
          numbers={['Line', 'Expectations']}
        />
        <tbody>
          {steps.map(({ line, kind, status, checked, page, visitedPages = [], reason }) => (
            <tr key={`${line} ${kind}`}>
              <td className="number">{line}</td>
              <td>
                <code>{kind}</code>
              </td>
              <td>{[...visitedPages, ...(page === undefined ? [] : [page])].map(formatCode).join(' → ')}</td>
              <td>{formatVerdict(reason)}</td>
              <td className={`${status} nowrap`}>{stepLabels[status]}</td>
              <td className="number">{checked}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** Formats the verdict of a step: prompted, or the reason why not; empty if the step was not evaluated. */
function formatVerdict(reason: StepResult['reason']): string {
  if (reason === undefined) return '';
  return reason === null ? 'Prompted' : `Not prompted: ${formatCode(reason).toLowerCase()}`;
}

function FailedStep({ step }: { readonly step: StepResult }) {
  const { mismatches, reason, rules: trace = [], kind, line } = step;
  return (
    <>
      <h3>
        Failed step: {kind} in line {line}
      </h3>
      {mismatches.map(
        ({ key, message }) =>
          message !== undefined && (
            <p key={key} className="failure">
              {message}
            </p>
          ),
      )}
      <ScrollBox label="Expected and actual results">
        <table>
          <TableHead columns={['Of', 'Expected', 'Seen']} />
          <tbody>
            {mismatches.map(({ key, expected, actual }) => (
              <tr key={key}>
                <th scope="row">
                  <code>{key}</code>
                </th>
                <td>
                  <code>{JSON.stringify(expected)}</code>
                </td>
                <td>
                  <code>{JSON.stringify(actual)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {trace.length > 0 && (
        <>
          <h3>Verdict{reason === null || reason === undefined ? '' : `: ${reason}`}</h3>
          <EvaluationTrace trace={trace} />
        </>
      )}
    </>
  );
}

/** Renders screenshots inline, and links to all evidence files. */
function Evidence({ runId, files }: { readonly runId: string; readonly files: readonly string[] }) {
  const address = (file: string): string => api.getUrl('getRunEvidence', { run: runId, query: { file } });
  const getFileName = (file: string): string => file.slice(file.lastIndexOf('/') + 1);
  const pictures = files.filter((file) => file.endsWith('.png'));
  return (
    <>
      <h3>Evidence</h3>
      <div className="pictures">
        {pictures.map((file, index) => (
          <figure key={file}>
            <img className="picture" src={address(file)} alt={`Page ${index + 1} when the step failed`} />
            <figcaption className="hint">{getFileName(file)}</figcaption>
          </figure>
        ))}
      </div>
      <ul>
        {files.map((file) => (
          <li key={file}>
            <a href={address(file)} target="_blank" rel="noopener noreferrer">
              {getFileName(file)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

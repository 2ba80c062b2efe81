import { type KeyboardEvent, useRef, useState } from 'react';
import type { SignInDetail } from '../control/answers.ts';
import { type Frame, useFilmstrip } from '../control/filmstrip.ts';
import { useControlQuery } from '../control/questions.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { formatCount, formatInstant, stateLabels } from '../parts/labels.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { createOwnScreenTexts, type OwnScreenTexts } from './own-screen-texts.ts';
import { ScreenPicture } from './screen-picture.tsx';

/**
 * Renders a sign-in as a filmstrip of screens with the events that led to them, and buttons to step back and
 * forward.
 */
export function Filmstrip({ sandbox, detail }: { readonly sandbox: string; readonly detail: SignInDetail }) {
  const filmstrip = useFilmstrip(sandbox, detail);
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
  const { method, own } = detail.signIn;
  const texts = createOwnScreenTexts(own, inForce.data);
  return (
    <QueryResult to={filmstrip}>{(frames) => <Frames frames={frames} method={method} texts={texts} />}</QueryResult>
  );
}

function Frames({
  frames,
  method,
  texts,
}: {
  readonly frames: readonly Frame[];
  readonly method: SignInDetail['signIn']['method'];
  readonly texts: OwnScreenTexts | undefined;
}) {
  const [at, setAt] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const frame = frames[at];
  const goTo = (place: number): void => {
    const next = Math.min(Math.max(place, 0), frames.length - 1);
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    goTo(at + by);
  };
  return (
    <>
      <ol className="film" aria-label="Steps of the sign-in" ref={list}>
        {frames.map(({ entry: { seq, at: instant, event: input }, outcome }, index) => (
          <li key={seq}>
            <button type="button" aria-pressed={index === at} onClick={() => setAt(index)} onKeyDown={onKey}>
              <ScreenPicture screen={outcome.screen} method={method} texts={texts} />
              <code>{input.type}</code>
              <small>{formatInstant(instant)}</small>
            </button>
          </li>
        ))}
      </ol>
      <div className="buttons" role="group" aria-label="Step">
        <button type="button" disabled={at === 0} onClick={() => goTo(at - 1)}>
          Previous
        </button>
        <button type="button" disabled={at >= frames.length - 1} onClick={() => goTo(at + 1)}>
          Next
        </button>
        <span className="hint">
          {at + 1} of {frames.length}
        </span>
      </div>
      {frame !== undefined && <FrameDetails frame={frame} />}
    </>
  );
}

/** Renders a journal entry and its effect. */
function FrameDetails({ frame: { entry, outcome: saw } }: { readonly frame: Frame }) {
  const { screen, outcome, reason, nudgeStatus } = saw;
  return (
    <>
      <p role="status">
        {screen === undefined ? 'The step led to no screen' : `The step led to the screen ${screen}`}
        {outcome !== undefined &&
          `, evaluated ${outcome}${reason === null || reason === undefined ? '' : `: ${reason}`}`}
        {nudgeStatus !== undefined &&
          nudgeStatus !== null &&
          `; ${stateLabels[nudgeStatus.state]}, ${formatCount(nudgeStatus.count, 'snooze')}`}
        .
      </p>
      <figure>
        <figcaption className="hint">Event of the step</figcaption>
        <CodeBlock text={JSON.stringify(entry.event, null, 2)} />
      </figure>
    </>
  );
}

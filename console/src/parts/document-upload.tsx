import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useId, useRef, useState } from 'react';
import { type UploadProgress, uploadDocument } from '../control/documents.ts';
import { refresh } from '../control/questions.ts';
import { formatCount } from './labels.ts';
import { Failure } from './query-result.tsx';

/**
 * Renders a drop area and file field for PDFs with the progress of each upload. An upload in progress can be
 * canceled.
 */
export function DocumentUpload({ sandbox }: { readonly sandbox: string }) {
  const queries = useQueryClient();
  const inputId = useId();
  const [isPublic, setPublic] = useState(true);
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const [errors, setErrors] = useState<readonly Error[]>([]);
  const [over, setOver] = useState(false);
  const waiting = useRef<File[]>([]);
  const stop = useRef<AbortController | null>(null);

  /** Uploads files one after another. New files are queued, and a rejected file does not block the others. */
  const take = async (files: readonly File[]): Promise<void> => {
    waiting.current.push(...files);
    if (stop.current !== null) return;
    setErrors([]);
    stop.current = new AbortController();
    const { signal } = stop.current;
    for (let file = waiting.current.shift(); file !== undefined; file = waiting.current.shift()) {
      try {
        await uploadDocument(sandbox, file, { isPublic, signal, onProgress: setProgress });
      } catch (cause) {
        if (signal.aborted) waiting.current = [];
        else setErrors((before) => [...before, cause instanceof Error ? cause : new Error(String(cause))]);
      }
    }
    stop.current = null;
    setProgress(null);
    await refresh(queries, sandbox);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]).catch(() => undefined);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the field within does the same by keyboard.
    <div
      className={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="filters">
        <div className="field">
          <label htmlFor={inputId}>Choose or drop PDF files</label>
          <input
            id={inputId}
            type="file"
            accept="application/pdf"
            multiple
            onChange={({ target }) => {
              const files = [...(target.files ?? [])];
              target.value = '';
              take(files).catch(() => undefined);
            }}
          />
        </div>
        <label className="switch">
          <input type="checkbox" checked={isPublic} onChange={({ target }) => setPublic(target.checked)} />
          Visible to everyone
        </label>
      </div>
      {progress !== null && (
        <p role="status">
          {progress.name}:{' '}
          {progress.pages === null ? 'being sent' : `${formatCount(progress.page, 'page')} of ${progress.pages} read`}
          {waiting.current.length > 0 && `; ${formatCount(waiting.current.length, 'file')} remaining`}{' '}
          <button type="button" onClick={() => stop.current?.abort()}>
            Cancel
          </button>
        </p>
      )}
      {errors.map((error, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was refused is never moved.
        <Failure key={place} of={error} />
      ))}
    </div>
  );
}

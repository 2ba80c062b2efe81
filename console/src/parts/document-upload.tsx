import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useId, useRef, useState } from 'react';
import { type UploadTold, uploadDocument } from '../control/documents.ts';
import { refresh } from '../control/questions.ts';
import { Failure } from './answered.tsx';
import { counted } from './words.ts';

/** Takes PDFs, chosen or dropped, and tells how far each is read; what is under way can be cancelled. */
export function DocumentUpload({ sandbox }: { readonly sandbox: string }) {
  const queries = useQueryClient();
  const inputId = useId();
  const [isPublic, setPublic] = useState(true);
  const [told, setTold] = useState<UploadTold | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const stop = useRef<AbortController | null>(null);

  const take = async (files: readonly File[]): Promise<void> => {
    setError(null);
    stop.current = new AbortController();
    try {
      for (const file of files) {
        await uploadDocument(sandbox, file, { isPublic, signal: stop.current.signal, onTold: setTold });
      }
    } catch (cause) {
      if (!stop.current.signal.aborted) setError(cause instanceof Error ? cause : new Error(String(cause)));
    } finally {
      stop.current = null;
      setTold(null);
      await refresh(queries, sandbox);
    }
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    if (stop.current === null) take([...event.dataTransfer.files]).catch(setError);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the field within does the same by keyboard.
    <div className="drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className="filters">
        <div className="field">
          <label htmlFor={inputId}>PDF files, chosen or dropped here</label>
          <input
            id={inputId}
            type="file"
            accept="application/pdf"
            multiple
            disabled={told !== null}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])];
              target.value = '';
              take(files).catch(setError);
            }}
          />
        </div>
        <label className="switch">
          <input type="checkbox" checked={isPublic} onChange={({ target }) => setPublic(target.checked)} />
          Everybody may see it
        </label>
      </div>
      {told !== null && (
        <p role="status">
          {told.name}: {told.pages === null ? 'being sent' : `${counted(told.page, 'page')} of ${told.pages} read`}{' '}
          <button type="button" onClick={() => stop.current?.abort()}>
            Cancel
          </button>
        </p>
      )}
      <Failure of={error} />
    </div>
  );
}

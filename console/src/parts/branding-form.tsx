import { useId, useState } from 'react';
import type { TenantSettings } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction, useControlQuery } from '../control/questions.ts';
import { Failure, QueryResult } from './query-result.tsx';

type Branding = NonNullable<TenantSettings['branding']>;

/** Default color of the sign-in pages, in the format of a color input. */
const colorDefault = '#0b5cad';

/** Maximum logo size in bytes that fits into the settings after text encoding. */
const logoBytesMax = 48_000;

/** Renders a form for the name, color and logo on the tenant's sign-in pages. */
export function BrandingForm({ sandbox }: { readonly sandbox: string }) {
  const settings = useControlQuery('getSettings', { sandbox });
  return (
    <QueryResult to={settings}>
      {({ branding }) => <Form key={JSON.stringify(branding)} sandbox={sandbox} stored={branding ?? { name: '' }} />}
    </QueryResult>
  );
}

function Form({ sandbox, stored }: { readonly sandbox: string; readonly stored: Branding }) {
  const [wanted, setWanted] = useState(stored);
  const [fault, setFault] = useState<string | null>(null);
  const action = useControlAction(sandbox);
  const nameId = useId();
  const colorId = useId();
  const logoId = useId();
  const { name, color, logo } = wanted;
  const save = (branding: Branding | null): void =>
    action.mutate(() => api.patchSettings({ sandbox, body: { branding } }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(wanted);
      }}
    >
      <div className="filters">
        <div className="field">
          <label htmlFor={nameId}>Name</label>
          <input
            id={nameId}
            required
            maxLength={64}
            value={name}
            onChange={({ target }) => setWanted({ ...wanted, name: target.value })}
          />
        </div>
        <div className="field">
          <label htmlFor={colorId}>Color</label>
          <input
            id={colorId}
            type="color"
            value={color ?? colorDefault}
            onChange={({ target }) => setWanted({ ...wanted, color: target.value })}
          />
        </div>
        <div className="field">
          <label htmlFor={logoId}>Logo (PNG, JPEG, WebP or SVG)</label>
          <input
            id={logoId}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              target.value = '';
              if (file === undefined) return;
              setFault(
                file.size > logoBytesMax
                  ? `${file.name} is larger than the maximum of ${logoBytesMax} bytes. Choose a smaller file.`
                  : null,
              );
              if (file.size > logoBytesMax) return;
              toDataUrl(file).then(
                (read) => setWanted((before) => ({ ...before, logo: read })),
                (cause: unknown) => setFault(String(cause)),
              );
            }}
          />
        </div>
      </div>
      {logo !== undefined && <img className="logo" src={logo} alt="The logo" />}
      {fault !== null && (
        <p className="failure" role="alert">
          {fault}
        </p>
      )}
      <Failure of={action.error} />
      <div className="buttons">
        <button type="submit" className="primary" disabled={action.isPending || name.trim() === ''}>
          Save
        </button>
        <button type="button" disabled={action.isPending || stored.name === ''} onClick={() => save(null)}>
          Restore default branding
        </button>
      </div>
    </form>
  );
}

function toDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}

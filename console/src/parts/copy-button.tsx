import { useMutation } from '@tanstack/react-query';

/** Renders a labeled button that copies a text to the clipboard and confirms it. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const copy = useMutation({ mutationFn: (copied: string) => navigator.clipboard.writeText(copied) });
  return (
    <>
      <button type="button" onClick={() => copy.mutate(text)}>
        {label}
      </button>{' '}
      <span className="hint" role="status">
        {copy.isSuccess && copy.variables === text && 'Copied.'}
        {copy.isError && 'The browser does not allow copying here. Select the text and copy it.'}
      </span>
    </>
  );
}

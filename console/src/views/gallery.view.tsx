import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { ControlReply, ControlRequest } from '../../../src/client/control-client.ts';
import { api } from '../control/control-client.ts';
import { Card } from '../parts/card.tsx';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

type Gallery = ControlReply<'getGallery'>;
type PageState = Gallery['states'][number];
type Version = NonNullable<ControlRequest<'getGalleryPage'>['query']>;

const labels: Readonly<Record<string, string>> = {
  plain: 'No branding',
  'dark-color': 'Dark color and logo',
  'light-color': 'Light color',
  en: 'English',
  ar: 'Arabic',
  light: 'Light',
  dark: 'Dark',
};

/** Renders every state of every sign-in page, in the chosen brand, language and color scheme. */
export function GalleryView() {
  const gallery = useQuery({ queryKey: ['gallery'], queryFn: () => api.getGallery() });
  return (
    <>
      <ViewTitle title="Gallery" />
      <QueryResult to={gallery}>{(data) => <States gallery={data} />}</QueryResult>
    </>
  );
}

function States({ gallery: { brands, languages, schemes, states } }: { readonly gallery: Gallery }) {
  const [address, setAddress] = useSearchParams();
  const choose = (name: string, words: readonly string[]): string => {
    const word = address.get(name);
    return words.find((one) => one === word) ?? words[0] ?? '';
  };
  const version = {
    brand: choose('brand', brands),
    language: choose('language', languages),
    scheme: choose('scheme', schemes),
  } as Version;
  const page = address.get('page') ?? '';
  const pages = [...new Set(states.map((state) => state.page))];
  const field = (label: string, name: string, value: string, options: readonly (readonly [string, string])[]) => (
    <SelectField
      label={label}
      value={value}
      options={options}
      onChange={(chosen) =>
        setAddress(
          (before) => {
            before.set(name, chosen);
            return before;
          },
          { replace: true },
        )
      }
    />
  );
  const named = (words: readonly string[]) => words.map((word) => [word, labels[word] ?? word] as const);
  return (
    <>
      <div className="filters">
        {field('Page', 'page', page, [['', `All ${pages.length}`], ...pages.map((name) => [name, name] as const)])}
        {field('Brand', 'brand', version.brand ?? '', named(brands))}
        {field('Language', 'language', version.language ?? '', named(languages))}
        {field('Color scheme', 'scheme', version.scheme ?? '', named(schemes))}
      </div>
      <p className="hint">
        {states.length} states of {pages.length} pages. To repeat one, create its sandbox and follow the steps.
      </p>
      {pages
        .filter((name) => page === '' || name === page)
        .map((name) => (
          <Card key={name} title={name}>
            <ul className="gallery">
              {states
                .filter((state) => state.page === name)
                .map((state) => (
                  <StateItem key={state.state} state={state} version={version} />
                ))}
            </ul>
          </Card>
        ))}
    </>
  );
}

/** Renders one state. The preview cannot be used, so screen readers and keyboards skip it; the link opens the page. */
function StateItem({ state, version }: { readonly state: PageState; readonly version: Version }) {
  const { state: name, steps, sandbox, path } = state;
  const url = api.getUrl('getGalleryPage', { state: name, query: version });
  const created = useMutation({
    mutationFn: () => api.createSandbox({ body: sandbox as ControlRequest<'createSandbox'>['body'] }),
  });
  return (
    <li>
      <h3>
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      </h3>
      <div className="page-preview" inert>
        <iframe src={url} title={name} loading="lazy" sandbox="" tabIndex={-1} />
      </div>
      <ol>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps never change, and a step can occur twice
          <li key={index}>{step}</li>
        ))}
      </ol>
      {created.data === undefined ? (
        <button type="button" disabled={created.isPending} onClick={() => created.mutate()}>
          Create sandbox for {name}
        </button>
      ) : (
        <p role="status">
          <a href={`/s/${created.data.id}${path}`} target="_blank" rel="noopener noreferrer">
            Open the first step in {created.data.id}
          </a>
        </p>
      )}
      <Failure of={created.error} />
    </li>
  );
}

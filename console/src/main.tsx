import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { isRefusal } from './control/control-client.ts';
import { applyTheme } from './control/theme.ts';

/**
 * Maximum number of retries when the server cannot be reached. Rejected requests are not retried: the result would
 * be the same.
 */
const retriesMax = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => !isRefusal(error) && failures < retriesMax,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
  },
});

const place = document.getElementById('console');
if (place === null) throw new Error('The document has no element for the console.');

applyTheme();

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);

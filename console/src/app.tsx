import { lazy, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Router, Switch, useLocation, useParams } from 'wouter';
import { LiveSandbox } from './control/live.tsx';
import { Navigation } from './shell/navigation.tsx';
import { Palette } from './shell/palette.tsx';
import { pathsBelow, views } from './shell/views.ts';
import { AssumptionsView } from './views/assumptions.view.tsx';
import { CampaignView } from './views/campaign.view.tsx';
import { DocumentsView } from './views/documents.view.tsx';
import { FaultsView } from './views/faults.view.tsx';
import { GalleryView } from './views/gallery.view.tsx';
import { JournalView } from './views/journal.view.tsx';
import { JourneyView } from './views/journey.view.tsx';
import { JourneyPairView } from './views/journey-pair.view.tsx';
import { JourneysView } from './views/journeys.view.tsx';
import { LookupView } from './views/lookup.view.tsx';
import { ModelView } from './views/model.view.tsx';
import { NotFoundView } from './views/not-found.view.tsx';
import { OverviewView } from './views/overview.view.tsx';
import { RegistrationsView } from './views/registrations.view.tsx';
import { RequestsView } from './views/requests.view.tsx';
import { LatestRunView, RunView } from './views/run.view.tsx';
import { ScenarioFileView } from './views/scenario-file.view.tsx';
import { ScenariosView } from './views/scenarios.view.tsx';
import { SettingsView } from './views/settings.view.tsx';
import { UserView } from './views/user.view.tsx';
import { AddUserView, EditUserView } from './views/user-form.view.tsx';
import { UsersView } from './views/users.view.tsx';

/** Views with charts are loaded lazily, when they are first opened. */
const ForecastView = lazy(async () => ({ default: (await import('./views/forecast.view.tsx')).ForecastView }));
const PropertiesView = lazy(async () => ({ default: (await import('./views/properties.view.tsx')).PropertiesView }));
const ResultsView = lazy(async () => ({ default: (await import('./views/results.view.tsx')).ResultsView }));
const CompareView = lazy(async () => ({ default: (await import('./views/compare.view.tsx')).CompareView }));

/** Renders the console. Every view has its own URL. */
export function App() {
  return (
    <Router base="/_console">
      <Switch>
        <Route path="/s/:sandbox/*?">
          <Sandbox />
        </Route>
        <Route path="/">
          <Redirect to="/s/default/overview" replace />
        </Route>
        <Route>
          <WithoutSandbox />
        </Route>
      </Switch>
    </Router>
  );
}

/** Opens a view whose path names no sandbox, such as `/campaign`, in the default sandbox. */
function WithoutSandbox() {
  const [path] = useLocation();
  const [first = ''] = path.split('/').slice(1);
  const isView = [...views.map((view) => view.path), ...pathsBelow.keys()].includes(first);
  return isView ? <Redirect to={`/s/default${path}${globalThis.location.search}`} replace /> : <Sandbox />;
}

function Sandbox() {
  const { sandbox = 'default' } = useParams<{ sandbox: string }>();
  const [palette, setPalette] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setPalette((open) => !open);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <LiveSandbox sandbox={sandbox}>
      <a className="skip-link" href="#view">
        Skip to the view
      </a>
      <div className="shell">
        <Navigation sandbox={sandbox} onPalette={() => setPalette(true)} />
        <main id="view" tabIndex={-1} key={sandbox}>
          <Suspense fallback={<p className="waiting">Loading…</p>}>
            <Switch>
              <Route path="/s/:sandbox/overview">
                <OverviewView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/campaign">
                <CampaignView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/users">
                <UsersView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/users/:user">
                {({ user }) => <UserView key={user} sandbox={sandbox} userId={decodeURIComponent(user)} />}
              </Route>
              <Route path="/s/:sandbox/users/:user/edit">
                {({ user }) => <EditUserView key={user} sandbox={sandbox} userId={decodeURIComponent(user)} />}
              </Route>
              <Route path="/s/:sandbox/add-user">
                <AddUserView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/registrations">
                <RegistrationsView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/journeys">
                <JourneysView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/journeys/compare">
                <JourneyPairView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/journeys/:journey">
                {({ journey }) => <JourneyView key={journey} sandbox={sandbox} signInId={journey} />}
              </Route>
              <Route path="/s/:sandbox/model/:machine?">
                {({ machine }) => <ModelView sandbox={sandbox} machineId={machine ?? null} />}
              </Route>
              <Route path="/s/:sandbox/scenarios">
                <ScenariosView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/scenarios/file">
                <ScenarioFileView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/scenarios/runs/latest">
                <LatestRunView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/scenarios/runs/:run/:place?">
                {({ run, place }) => (
                  <RunView sandbox={sandbox} runId={run} place={place === undefined ? null : Number(place)} />
                )}
              </Route>
              <Route path="/s/:sandbox/journal">
                <JournalView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/requests">
                <RequestsView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/lookup">
                <LookupView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/documents">
                <DocumentsView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/faults">
                <FaultsView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/gallery">
                <GalleryView />
              </Route>
              <Route path="/s/:sandbox/forecast">
                <ForecastView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/properties">
                <PropertiesView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/results">
                <ResultsView />
              </Route>
              <Route path="/s/:sandbox/compare">
                <CompareView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/settings">
                <SettingsView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox/assumptions">
                <AssumptionsView sandbox={sandbox} />
              </Route>
              <Route path="/s/:sandbox">
                <Redirect to={`/s/${sandbox}/overview`} replace />
              </Route>
              <Route>
                <NotFoundView sandbox={sandbox} />
              </Route>
            </Switch>
          </Suspense>
        </main>
      </div>
      <Palette sandbox={sandbox} open={palette} onOpenChange={setPalette} />
    </LiveSandbox>
  );
}
